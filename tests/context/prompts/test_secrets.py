"""Secrets are told from ordinary C#, and never come through."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codecortex.context.prompts.secrets import find_secrets, mask_secrets

RANDOM = "k7Qz9fW2xLp4Rt8Vb3Nc6Yd1Hs5Jg0Ma"
"""Nobody's, but mixed as a real one is; what is planted is put together here, so that no scanner takes it for real."""

PLANTED = {
    "AWS access key": "AKIA" + "IOSFODNN7QRSTUVW",
    "Google API key": "AIza" + RANDOM + "abc",
    "Google token": "ya29." + RANDOM,
    "GitHub token": "ghp_" + RANDOM + "abcd",
    "fine-grained GitHub token": "github_pat_" + RANDOM + "_" + RANDOM,
    "GitLab token": "glpat-" + RANDOM[:20],
    "Slack token": "xoxb-" + "123456789012-" + RANDOM,
    "Slack web hook": "https://hooks.slack.com/services/" + "T00000000/B00000000/" + RANDOM[:24],
    "Azure storage": "DefaultEndpointsProtocol=https;AccountKey=" + RANDOM * 2 + "ab==",
    "Azure bus": "Endpoint=sb://x;SharedAccessKey=" + RANDOM + "0123456789a=",
    "Azure client secret": "abc8Q~" + RANDOM,
    "OpenAI key": "sk-proj-" + RANDOM,
    "Anthropic key": "sk-ant-api03-" + RANDOM,
    "Stripe key": "sk_live_" + RANDOM[:24],
    "SendGrid key": "SG." + RANDOM[:22] + "." + RANDOM + "abcdefghijk",
    "NuGet key": "oy2" + "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0abc",
    "JSON web token": "eyJ" + RANDOM + ".eyJ" + RANDOM + "." + RANDOM,
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow" + RANDOM + "\n-----END RSA PRIVATE KEY-----",
    "private key without end": "-----BEGIN PRIVATE KEY-----\nMIIEow" + RANDOM,
    "connection string": "Server=db;Database=shop;User Id=sa;Password=" + "hunter42!x" + ";",
    "address": "https://deploy:" + "hunter42x" + "@example.com/x",
    "bearer": "Authorization: Bearer " + RANDOM,
}
NAMED = [
    'const string Password = "{}";',
    'public string ApiKey {{ get; set; }} = "{}";',
    'private static readonly string _clientSecret = @"{}";',
    'string GetToken() => "{}";',
    '{{ "password": "{}" }}',
    'var json = "{{\\"secret\\":\\"{}\\"}}";',
    'headers["X-Api-Key"] = "{}";',
    'settings.Add("accessToken", "{}");',
    '[Login(Password = "{}")]',
    "/// <c>password = '{}'</c>",
    'Connect(signingKey: "{}");',
]
ORDINARY = [
    "public Task RunAsync(CancellationToken cancellationToken = default) => _inner.RunAsync(cancellationToken);",
    'const string PasswordKey = "password";',
    'public const string TokenType = "access_token_type_hint";',
    'throw new ArgumentException("The password must hold at least 8 characters", nameof(password));',
    'var token = SyntaxFactory.Token(SyntaxKind.OpenBraceToken, "open-brace-token-kind-of-node");',
    "user.Password = null; var server = info.Server; user.Password = request.Password;",
    '[assembly: InternalsVisibleTo("Tests, PublicKey=0024000004800000940000000602000000240000525341310004000001")]',
    'var name = "System.Private.CoreLib, PublicKeyToken=7cec85d7bea7798e";',
    'options.ConnectionString = "Server=.;Database=Shop;Trusted_Connection=True";',
    'var text = $"Server={host};User Id={user};Password={password}";',
    'Environment.GetEnvironmentVariable("GITHUB_TOKEN")',
    'const string Key = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";',
    'settings["Secret"] = "<your-secret-goes-here-1234567890>";',
    'ApiKey = "YOUR_API_KEY_0123456789"; Password = "********1aA"; Secret = "${SECRET_0123456789_ABC}"',
    'public string PasswordHashAlgorithm => "PBKDF2-SHA512-WithRandomSalt";',
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    'Uri("https://example.com:8080/path@home")',
    'var digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";',
]


@pytest.mark.parametrize("name", PLANTED)
def test_what_an_issuer_gave_a_form_is_found_in_code_and_comments(name):
    secret = PLANTED[name]
    for text in (f'var x = "{secret}"; // end', f"/* see {secret} */", f"+    Call({secret})\n-    Call()"):
        masked, kinds = mask_secrets(text)
        assert kinds
        assert secret[-12:].rstrip("\n-;=/x") not in masked or name in {
            "address",
            "connection string",
            "Slack web hook",
        }
        assert RANDOM[:12] not in masked
        assert "hunter42" not in masked


@pytest.mark.parametrize("form", NAMED)
def test_what_stands_under_a_telling_name_is_found(form):
    masked, kinds = mask_secrets(form.format(RANDOM))
    assert kinds
    assert RANDOM[:8] not in masked


@pytest.mark.parametrize("value", ["hunter42!", "P4ssw0rd-9", "Summer2024!"])
def test_a_password_may_be_short(value):
    assert find_secrets(f'string password = "{value}";')


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_code_is_left_alone(text):
    assert mask_secrets(text) == (text, ())


def test_the_text_around_a_secret_stays():
    secret = PLANTED["AWS access key"]
    masked, kinds = mask_secrets(f'Login("{secret}", region);')
    assert masked == 'Login("[left out: looks like an AWS access key]", region);'
    assert kinds == ("an AWS access key",)


def test_secrets_side_by_side_are_all_found():
    texts = [PLANTED["AWS access key"], PLANTED["GitHub token"], PLANTED["private key"]]
    masked, kinds = mask_secrets("\n".join(texts))
    assert len(kinds) == 3
    assert not any(text in masked for text in texts)


@given(st.text(), st.sampled_from(sorted(PLANTED)), st.text())
def test_masking_is_done_once_and_for_all(before, name, after):
    text = f"{before}\n{PLANTED[name]}\n{after}"
    masked, kinds = mask_secrets(text)
    assert kinds
    assert find_secrets(masked) == ()
    found = find_secrets(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= each.start < each.end <= len(text) for each in found)


@given(st.text(alphabet="pPasword=:\"' ;{}tokenAIza09-/@eyJ.\n\\"))
def test_any_text_gives_an_answer(text):
    masked, _ = mask_secrets(text)
    assert mask_secrets(masked)[0] == mask_secrets(mask_secrets(masked)[0])[0]
