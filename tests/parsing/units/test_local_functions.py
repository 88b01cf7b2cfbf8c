import pytest

from codecortex.parsing.units.local_functions import find_local_functions


def test_functions_declared_in_a_member_are_found_and_nothing_else():
    code = """
    public async Task<int> Run(int count)
    {
        var total = 0;
        await Step(count);
        return await Retry<string>(3, x => x) + Total();

        static async Task<List<int>> Step(int number) => await Load(number);
        T Retry<T>(int times, Func<T, (int, int)> act) where T : class { return Call(act(times)); }
        [Pure] int? Total() { void Inner() { Stop(); } Inner(); return total; }
        (int, string) Pair() => (1, null);
        if (count > 1) { throw new Bad(count); } else if (total > 2) { Call(1); }
        await foreach (var each in All()) { new Made(each) { Name = 1 }; }
        using (Open()) { }
        lock (total) { }
        Action done = () => Stop();
        return count switch { not Many(1) => 2, _ => Call(3) };
    }
    """
    assert find_local_functions(code) == ("Step", "Retry", "Total", "Inner", "Pair")


@pytest.mark.slow
def test_hostile_code_takes_no_time():
    for part in ("; a <", "{ (", "; a b(", ";[", "; a<b>" * 3, "; ref ", " ", "\n", "; a\t"):
        find_local_functions(part * (200_000 // len(part)))
