using System;
using System.Collections.Generic;
using Stock = System.Collections.Generic.Dictionary<string, int>;

namespace Shop.Warehouse;

/// <summary>Counts what is on the shelves.</summary>
[Serializable]
public sealed class Inventory<TItem> : IInventory<TItem>, IDisposable
    where TItem : class, IItem, new()
{
    private readonly Stock _counts = new(), _reserved = new();
    public const int Limit = 10 * 100;

    /// <summary>Creates one.</summary>
    /// <param name="clock">Tells the time.</param>
    public Inventory(IClock clock) : this(clock, Limit) { }

    internal Inventory(IClock clock, int limit) { Clock = clock; }

    protected IClock Clock { get; private set; }

    public event EventHandler<ChangedArgs>? Changed;

    public int this[string name] => _counts[name];

    /// <inheritdoc/>
    public bool TryTake(string name, out TItem? item)
    {
        var log = $"take {name} of {_counts.Count} at {Clock.Now:HH}";
        item = Factory.Create<TItem>(log);
        return item != null && Rules.All(r => r.Allows(item));
    }

    void IDisposable.Dispose() => Changed = null;

    public static Inventory<TItem> operator +(Inventory<TItem> a, TItem b) => a;

    private enum State : byte { Open = 1, [Obsolete("x")] Closed = 1 << 1 }
}

public interface IInventory<in T>
{
    bool TryTake(string name, out T? item);
    static abstract int Capacity { get; }
}
