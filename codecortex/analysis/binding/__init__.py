"""What the names in C# sources mean, as the compiler binds them: syntax trees and metadata in, bindings out."""
