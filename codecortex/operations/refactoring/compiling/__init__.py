"""An edit judged by the compiler: what it compiles as before, it compiles as after."""
