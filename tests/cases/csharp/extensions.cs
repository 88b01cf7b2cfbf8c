namespace Shop.Text;

public static class StringExtensions
{
    /// <summary>For any text.</summary>
    extension(string text)
    {
        /// <summary>Whether it is blank.</summary>
        public bool IsBlank => string.IsNullOrWhiteSpace(text);
        public string Shorten(int to) => text[..to];
    }

    extension<T>(IEnumerable<T> source) where T : class
    {
        public T? FirstOrNone() { foreach (var item in source) return item; return null; }
    }

    public static string Old(this string text) => text;
}

public union Pet(Cat, List<Dog>);
