namespace Shop
{
    using System;

    public abstract record Money(decimal Amount, [property: Iso] string Currency = "EUR") : Value(Amount)
    {
        public static explicit operator decimal(Money m) => m.Amount;
    }

    public readonly record struct Point(int X, int Y);

    public delegate TResult Convert<in T, out TResult>(T value, params object[] rest) where T : notnull;

    file class Hidden { }

    public ref partial struct Reader(ReadOnlySpan<byte> data)
    {
        private ref int _at;
        public void Read<T>(scoped Span<T> into) where T : allows ref struct { }
    }
}
