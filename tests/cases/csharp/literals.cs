namespace Shop;

class Literals
{
    const string Plain = "a \"b\" // no comment";
    const char Quote = '"';
    static readonly string Raw = """
        a "quoted" { brace
        """;
    static readonly string Deep = $"{(Flag ? $@"x ""{Name}""" : "y")}";
    static readonly byte[] Bytes = "abc"u8.ToArray();
    void M(bool async, string required = "a, b") { f(async: async, x = [type]); }
}
