#!/usr/bin/env dotnet run
#:package Humanizer@2.14.1
using Humanizer;

var greeting = args.Length > 0 ? args[0] : "world";
Console.WriteLine($"Hello {greeting.Humanize()}");
return Local(1);

int Local(int x) => x + new Settings().Level;

class Settings
{
    public int Level { get; init; } = 3;
}
