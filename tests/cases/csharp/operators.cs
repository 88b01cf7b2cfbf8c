namespace Shop.Maths
{
    public partial struct Vector : IAdditionOperators<Vector, Vector, Vector>
    {
        public fixed byte Buffer[16];
        public static Vector operator checked +(Vector a, Vector b) => default;
        static Vector IAdditionOperators<Vector, Vector, Vector>.operator +(Vector a, Vector b) { return a; }
        public void operator +=(Vector other) { }
        public static implicit operator Vector((int x, int y) pair) => new();
        public unsafe delegate* unmanaged[Cdecl]<int, void> Callback;
        public partial int Length { get; set; }
        public ref readonly int First() => ref _items[0];
        unsafe ~Vector() { };
    }
}
