#define LOCAL
using System;

namespace Shop
{
    public class Platform
#if NET8_0_OR_GREATER
        : IParsable<Platform>
#endif
    {
#if LOCAL && !NET8_0_OR_GREATER
        /// <summary>The old way.</summary>
        public void Old() { }
#else
        public void New() { it's not code "
#endif
        public string Text = @"
#if NOT_A_DIRECTIVE
";
    }
}
