namespace Shop;

/// <summary>
/// Holds <see cref="Parts"/> of <typeparamref name="T"/>.
/// </summary>
/// <remarks>Not thread safe.</remarks>
// an ordinary comment
[Tag]
public partial class Documented<T>
{
    int before; /// <summary>Belongs to the next.</summary>
    public int After;

    /** <summary>
     *  A block.
     *  </summary> */
    #region Parts
    public T[] Parts { get; } = [];
    #endregion

    /// <summary>Lost.</summary>
}
