"""The public types of .NET's base class library, so that names of the framework can be told in full.

The table is made from the shipped index of .NET 10 by `scripts/make_framework_names.py`, and a test compares the two.
It stands here beside the index since names are asked for in every refresh: the table is unpacked in 25 ms when the
first is looked up, while the index, which knows members too, takes 310 ms to tell all names; and this package reads no
file.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEYWORDS = {
    "bool": "System.Boolean",
    "byte": "System.Byte",
    "char": "System.Char",
    "decimal": "System.Decimal",
    "double": "System.Double",
    "float": "System.Single",
    "int": "System.Int32",
    "long": "System.Int64",
    "nint": "System.IntPtr",
    "nuint": "System.UIntPtr",
    "object": "System.Object",
    "sbyte": "System.SByte",
    "short": "System.Int16",
    "string": "System.String",
    "uint": "System.UInt32",
    "ulong": "System.UInt64",
    "ushort": "System.UInt16",
}
"""The keywords of C# that are types, and the FQNs of these."""


def is_framework_type(fqn: str) -> bool:
    """Whether the framework has a public type with an FQN."""
    return fqn in _unpack()


def is_value_type(fqn: str) -> bool:
    """Whether the framework has a public struct or enum with an FQN."""
    return _unpack().get(fqn, False)


def has_simple_name(name: str) -> bool:
    """Whether a public type of the framework that is not nested has a simple name, with its arity."""
    return name in _simple_names()


def list_in_namespace(namespace: str) -> frozenset[str]:
    """The simple names with arity of the public types in a namespace."""
    return frozenset(name for name, spaces in _simple_names().items() if namespace in spaces)


def find_in_framework(namespace: str, segments: Sequence[str]) -> tuple[str, int] | None:
    """The FQN of the type that segments mean in a namespace, and how many of them name it; None if there is none.

    Segments after those that name it are members.
    """
    types = _unpack()
    path = namespace
    for place, segment in enumerate(segments):
        path = f"{path}.{segment}" if path else segment
        if path in types:
            used = place + 1
            while used < len(segments) and f"{path}+{segments[used]}" in types:
                path, used = f"{path}+{segments[used]}", used + 1
            return path, used
    return None


@cache
def _unpack() -> Mapping[str, bool]:
    """FQN to whether it is a value type."""
    import base64

    found: dict[str, bool] = {}
    for line in zlib.decompress(base64.b85decode(_PACKED)).decode().split("\n"):
        space, *names = line.split(" ")
        prefix = f"{space}." if space else ""
        found.update((prefix + name.removesuffix("*"), name.endswith("*")) for name in names)
    return found


@cache
def _simple_names() -> Mapping[str, frozenset[str]]:
    """Simple name with arity to the namespaces that have it."""
    found: dict[str, set[str]] = {}
    for fqn in _unpack():
        space, _, name = fqn.rpartition(".")
        if "+" not in name:
            found.setdefault(name, set()).add(space)
    return {name: frozenset(spaces) for name, spaces in found.items()}


_PACKED = (
    b"c-obHTXWkuvhe%&EA%W^r6x`$n|-upJJH0qwd`beU(V1HZS$BSH6)cp`|H2H0^I;*=Ts#Yx*NnDjYgx<xTuz0+qVzHo7v*2=r(U|w#`tj%j2q9"
    b"mEA;sn0C}XZr5cq%$tXH1a(#ykNs2#{Gp&+nx{XP<z}eb#-r!WP<BmG&)W5-s!g>2cM*#Cwd%J;eO&a_a&olUe5;zpu&YbRv#9Ia-3CK#U6)Hr"
    b"9#WdsMc*F{Ls#8zhY~THqAM@T;i+9=+@>FjX6P|AbZtF@k`wT~?0QV%q!`MhW_1gtr0`kWt&3qwVJh(Vq6TPNB4Ro@?YgV`|Ap))XHbQZ@07sB"
    b"t{=)Z1e>B+Rz(e=t{+Z{-POalvV5L0jKQmif0so!oqVoV<wd*N*5zffj>%21v9TOjLMlbU6~5>nkK3O&WxuVVj0{NwUF<$}?RFDeC#H6_DVw9^"
    b"vh1OwFbp}C9Kw!-;9|4H93cRoG>`q{wzy}+ZC5P@s`=OBv+8HLI_kP&7n2q&e`nDb#qc!wT67h(KKI+#dx(WCKOOJyH##mB(C8JEc5>Xdby+m{"
    b"`Q&&vloY@oq(TIU1EEWM>N`T7l*?*e)DrHi$ENH)mGB25tYT?T+U<SKU(A~&l%g)N^Q!^+u=;Q8g~yWfI)~43NJEt;=hbrwEeR>M-Q>J&9x29U"
    b"`NKxyA#+x@KV%r@m;)Gi=WV<35hyWDzK0N&MaH=8Uqs)QKZl6B?pjO$nxdF2p4yI+T0m)}rqHd;s_0fc{Njh$-PQ8ET^2Pq0nTq37WCQOP}Tk9"
    b"D>rqy+S8Rd8|GKg=Gc-aRR<+$yB(Jkr$Je-cu<&Wb5Ybd=*!i4)s%*Xl*`?+F7?|5%$wy?fHoygG|i!cL4(ae8C=6m2gY_cpTTS_YyISIE+JEN"
    b"U^DLyA*aWxAG%!#e6GGj5f%DU?riwF?ABF}tuT8km(MXCC*McJ*P`B*UtlOCs61j-{>X~;W>GwppP{d6sNAfBK?yy>@I}>Z`>Up$_wxqWRJBUz"
    b"|0%ons>@?xip&pg+vl?3$b`l2FyOvyBJHItF3L4@`bDwXl&d6ROTt<k(&en%ZH5d1EuP_EjDH6P+GT`Ax$H`t#&xx^*~5oedxHsG9#P+l$|mvW"
    b"@4x*MxJ@O^_5Wnlayx#l+M4)89JfbH^Yho+5cn;GBJMDR-i6Tn5c)lYK4>U>5aNgEA$ExT4-I_Oz&|PQop{#K<6~Do0<$tj-w+#uiG;zEb`7<T"
    b"p+z}tHxayR>b6*wEBAQ~gD`21h@7t`AXLl;=4#W4N*E@xU@o_Honx=I!_~u0(LCBB!@z%9moWG(4ps^NyC@&=%fH@E6Zqh?fiy!wWLdeWdRTmy"
    b"PbRItFW2|=?i}iR`W-%n!t^<o#|AWNziXB#vfLNT=SgI)A#_`GkL3V!KVa_q;?c0-<6<>m1BT_1SP<Z^<%jo-9e^nZCURU2yao;^)bYv**zLmu"
    b"!aH2TXXguCJ8E2$jmT6qO*?QmhF*;s;tD&Zzp<%A%&K}C*(hW|cKXZgHa1d@)>cwVTVv}B1QXqcSqu>v)~f2Eg0&}LWC75RaLgXJ+h!#~nxHOV"
    b"DR?T(P!c?^byj+$2AqV3go$=?jH3``iUNiOFgFk)%wR`Z<Ep85EHR=O8AHtT6}ozO=u46;gFGnm$&?mKoP!~70F1Qd>2eN?DK<S0;gbs4-ti8Z"
    b"uPI4gU$(;;*4`jVv_S!uryp@OZk!nD6hw~Qbz8xN%M!qx;m`M~Ya5(0Hhds_bhg>j=$$&Ebj?{?1B-rvqzki&Kyo9BWHd{F6b6$UKNf&-=)l8?"
    b"sl(55xg~bgJUZEe<OJs6774=&W$L@G5*dOvIdPbzb5dp_mY5}_$=R?;lh`&(C?o&;Ccg?F%I`b*eJ{Vi%kKyI{RjU_bcrpIC9Xu3m>>D)pOa5B"
    b"_!svEyaV_&6JZ#cGR?D3Gaj>_X1qcx7RCikJRXlYX|^x}>Dy`<tC%7JYx>k~o<OYk4f1JQK}MfJ=)=GL(~OGrdB|FBPR#VA>NjnVO)LoB1Wo3%"
    b"8st#MGgnH((CTxU&=r%m{m`zZ(=Y>@_UYf-V$jbxj*1xy4;=IAzQ^66L}iG^;T#LDc=#CB*S^QFY;0nBi%rqEG!bFHz8fAsW|0(WBf|dr=ahfO"
    b"mdAP1!$MFkD_Uk{Hb6%%pU2~H?_1jN_VDABem~I9yF>c<@Sc9IhYo*9_L~*`V80|J?_r!oAQWn#Vx8fUW&WqNv-Q0A?+)rpKZld^RgsPqT!wkr"
    b"t!3Lb9l^zUOq(2J><eJ5<)Utf$;Iu_?Ne74W_Kuy$MNo_e2`^@Hn;faYyvHHUv?=E(e@k4hPR|C;s85v0X#Wj?OD9rZubpj8`ec^P|DQZws1QA"
    b"hQCI&M^>0>wL#{7gPa{cgm}1dX&#CF*?5HI8jYYaZG)zLBNqZvgt-X(p&!CZ7BIj&7Te7RwxD+1yetP4%99=h?Co-sA%FBK3PvyR8r+`SjXW-2"
    b"6>M6|%dM{i5azh8$Hm2!V!Ujy;6rDZT?rzKN7D?{05-Xd2>xM4Vv_>4(BdB0DPwRZG>@`@2s48PB=<4S<a8=t0h4*C+aD1FZBncgz05TX6x>bE"
    b"Po^O}UfJueT#;k|Q_C<bU?8h@Jt00a#h+)pB`;Pe^TdIt7#!6(?1XIK+im^5j7z#j=*lj7LzVb-lnI)~ZGz+BnIKV?SJZ-K;6*;c7v<ku?CI;a"
    b"uT;svV+%Xk#3SViDjm3zBb6hTn)i@M1^grGo6dnKN~`+q5}Ca!o(vCRDlv_)wDKT|IdR=mxt7FF5>hb~)*l405{yP>8v>*Nw!p#B>VIL~#NN1p"
    b"dGBerUD0scu>h>ZT%1HoyEW^>EeNJ1|20)57)Bxg9?I`K`F$_Hzsv6j`Td9dew>i13jd_M5OFMNV94wEd@S12IZVFOMeHhY3e+vhI(a7x<(;gQ"
    b"cd}I8=~{W$6k8au9r3TEjCaiwjoFw{oGg22I&XkO;{W4qg_1P}ad<&bG`QD95QYbS6$TLCROKClrYK$Yxdj$p@LZxeEFnf-%pq(?!g34iMwAp?"
    b")GJdH#@S<_LkGQc(0d2{?w}72`iFx)Dug3J)RmL3Ey|qV%Hlb6nuq>+D|($bym9VXC%^!$!zkbp?i#k(5SDmm?9P+eb7qrQKN^t^tEQo4gz;eo"
    b"6_r>68!3#(u;daJ2^GErgB9Kt6dD=DvEzVCSaRgnLBYg|R%*lE0g#8LgCF8D8(EYiD3gq7iq2U^T+-HWj;p5Vb`$=&?m%K2s_$i=Mnes+=t1P?"
    b"uB#^~6-SvKAs(OlHO~5zb{$R`CgC6eDfZ}PMM47R!hIN1(Cw293*4Eb-h~xSAol`8=}Y2--^;+}6TI$q0vC?SVr3@byOWBL&=iD^AZ^!q(=_O2"
    b"Cme~*!}s&}g$)}m&RoL0@v(T=1i>n^i)m%0o>S%LuqJJn!?xp7J>7goY}igs{<ST)Wf*Enr57ZWP?EHSPSSL7ee6d%0>aI5+jXd!IIi2}Gp(pf"
    b"X62O7kBdhK$0mW1IgUO!s_DpbfYqRV-fnO}$Cy+jmn4-PH4&j*i8Eq)W;={~!qs+J;$c{i5nX|=x>fcmie?d-ILcU~oOSJg%VxqqW*DRh)Ffo6"
    b"u}Y7`vJ8aDi*kq|)OE!0{xq3v5*w?JXco*=F+4{HDdgyC_FA3x*2WROlxD2HK-!-Iam{^cBt(}=It!tKI1RaRLujmOk!aJKhnQK)hoV%80~c2+"
    b"i=zFh<unY1lFeP)&wWBZjgfj0H^JYWKUl2KL$T?%+(2{wflkV$P(V_{Ul&#902D>etLB+`(IqfER5%1g0=U)<^o&9?x?H)!kKkVWCK-ya#&|Wo"
    b"bYT8M9G51n&>+ALJLZFjDSU9(w4CA`=5uc{`qhXoH|4hSn+PzvSx*-(URYey=P190%gMgsUyJZsYH72-9%Up&8fID-9_c2W?@5u)zpwGy`Fgz-"
    b"u_6ThybEZZcmbh(6frUvBP@jp2$r2Zh%79{9O#}VBRCe9mw2+L7Gu~vlfA<v#1LMaA#5chKh84P!>W}`YCn`~%GJcR`y}fH59c|Ja3<ezle`}j"
    b"#Q4YQ0Nzir?LIQ>vm(DTRg-wG7wpU!L+;D$g}z|PbpKHP#R<l$LOg+~CvKSoE`pnpfH|DRBL){SUnD1^>*naPIfhI)+-Q`PZE2)e%1G@w)(mn6"
    b"hzbzgLwzL!9@Lc>;9$YAt<hhP7D$uNyZf$kV~&ofOf6<lsJet%lPznsMjH^d8{8?$u4Eqpo6D|e7%y#}J;gba`s^V`MbAqSRNIr+OjU|;aUnz&"
    b"BM#BnHKHftfqAsTlY-0ghcR|=s9@=^zOU%S7OHRT9FR9hEfAYSh+&<xpUCjef+DCr5>T`x(RjktIN)@vYHcc(&yO97g5TQi8O<V~Gx?~%m`+s9"
    b"%Ikd<Bg*sXM9liw>WsQmFv5z(`og5ywLkhK(cNIwWSPyxh_M97?T>9|bo^+OVUkFO%276R7;g<TMkvuXBM?m%*i%2Hve3R8JX0+b^IIB4G33p4"
    b"6=#zq)aj~H!xDn=RAAdJOYLg3*eI&ThR!P7&&Z+bWVWq`ZAbcOlRO>uq7Lw+?3Z1&!94K9@3iaMuFqy2l6b}&>(GE>bAb_poV)F%u<le%MPl*P"
    b"G$hBcv53L5rHDm56i{Q|7iMq>ovW5&_eM{qu{N4JHDyCutVoK(f`6_0$_;e2yUj8Ah*nBCf5Dt7#R{eR>1z>8N>#t9i=DTsK522@o8FGF4tutj"
    b"iOtNzGA6<B$b3!+Vl<6>)+B~GnSq$VW~SIOk+gUEb5k%E(gi6bikc8$bHeUcdEcU?MU0OY7Z&2vgwQ4yp^Y*(?9Bmax;YX1T38+~38Fc5+ZCjX"
    b"BOSqIfr`&q(U5Lr7xOs3=cAK$9%d~aP0g{rV{-uPn*lyR(YdZGRJ@i!*uzpUh_QggQ1+z#4H+|HQK1%?*WV;lMrsQO31b9JRlg}9cihujKGUP3"
    b"LXA<<#^StXp$Vr`V<>Bp17uhopSrdI0ve7z!xz5&)Si>jE5CtA8Q#2kg6TD2uZ|+mq4+hLd$_|h&uHd&?*fK18O$eWNJ5XHgzNLMSsaygdgj1)"
    b"hYtMk-hyN=LJ|VDLA&i~_GK0&I2m(W)AMSH7GLm#10@U}f%RA0PeAuMB6OMBlT0p)2!ZV8*cuBvB^N#rn=Ml*QYVzb^OD2Ey&DW8AHx~W6R1(R"
    b"Av2luFr1Z*FNgxcY(^wwo#_`v|IDW=p^+krjk-Qp%`g?q8p8rE%I=XA;~9q|Tay|lvC6+XHqt3BGqpfveV&Zkb;R#E<`b+s{|(vtHRZbK`yXu="
    b"*lu<UgA6LN9vmZRFDCrOeUuSKKSBwA{41rTpP6RPQBHLy)hzB^Efu*~wm9yjYx5@7ZK1_1+w~fGH%wt@`G@Lp+xf8;)O)dG00qtWWUWXdB3O|y"
    b"E{@J=jxxDyo4~akmNyF{+m}5w&3@r!eAo%2*-xL(aW*V5F_TdY+<hp1(lwJ{$`Pq*#bGe8|F~~|;>u%eKq8U_=NCxKJp4(%gANuI)_7#}B+=x+"
    b"mrst(IC9ZUNz9@J(W0fwIDY&?DFrdZQ2e`ejk!w}nY(0_xl5KAu_1_vZ$;PObP7uWUDt`18b>$QZ&0E*LWBE44wCD-{ZUE-nGJN`x62Aor(p+C"
    b"tl%T8(!S==*iKI8qw(}+UUqpboL(+>G{Ou8EyIQxbf3YIZ1xqG(<HkSDdRMRtX$tzc^ySY&k!(7w(BNC^WnaixDy$CT~sKCB4agJSoZTG;hG;0"
    b"5gi^n_im1Bkda%Y#zx}&Qks&Vm(AnwWEa1m8Orpd!B$Ng@%jmdi(x>tnK!)faa$K1><6%xt_N<)zqhbzTg$d(@$k^rtF%RVP^1|nBLV)m-b7T|"
    b"4tHH`E_sfOf{0UzDPrPGi8!(17Q{YvR61+kES68@x|pQ(5(Pyv_^{hxE{t9LOiAH}V%wFl(R6)0rwgVdYZ?d@e3Q*Ir5l+0Dn*-FzKT`q&ekZ$"
    b"a(qzE;6!z1bddBKi1QPpWJ$$`QA*VJSfUdk#!1<SBOi=MyeS(Hp+=$`LfDV1uE3n1XDv0_MvCMvRV~pd_P}FD@*)GrVlQr1w|$wHXEa7yK3G@o"
    b"9gt;@maNG(WFH|IMZ?a%to0Tjvt>lUfJR|84pf8WSo36*Xv0N3u;XP5Q(>2r;`S6b>{6!~qWXug6w4ep!f0^lA=8euvx`*UxyA+|peRq-rbMJD"
    b"3uv>GB6U>_1Z<-Kn0;`-U6jpMCSbq?nblxeqZtuxJH$p>l+x>gE&-#Uxb4a^e&J;vuMK5l)>DWjd+V*u$&`N*ih)skGKKbqPz3JaVQZjw997bj"
    b"bozim;SwaHRr{mgC&p<xP@QyJE}xpVZXb8k7un_;rvi*T#G!+3I9&IGl8UO+Ma%_CZDzhdk|`c-)VYuA$8W?PrpRn2xFV@WVVoM(T%+WWG;UT^"
    b"*%FYVgmGJI+-u*Ie2KY#sy5RRoF*U^`<IT3r^v7gGoyU0^?bSUB2Mgg*$g7(joh`xEB<=z7SGO)>c^Ju{!RlrNa`Tz4yroVM9ConT3l~nxj{h="
    b"t=Xr#ejb-k#rKMDqY^@0jx-N7@D>#h0B*|2kHpVN2NPs4L3i?@NOLvw*ofZlLTSNrjR~elH=~rWvP7a;N>G#OGRcg08Oh!4fFzll_J{uJA(Mcr"
    b"W)*O()E;e%jFc>+XbtOOH1=amT7mY5^oc++8X}B3Yr6DR4*Kh^?iMgo#t%MFdMC@65SrCx(fJA{cw56;e@Y&4NgW7xS^mJ<<!Kv2mN@q*!J(cQ"
    b"P-ddAZzaTtb|QssY42rwM@~Ifki@(x=;}g6RS08CuNo68a2JW$BG7mA9=vIiJu&FUFKj8DsuxzlniTf2;XF#4EK2xh?#_AIpfoRM7Y4LO*0dj4"
    b"6&n^@0H8ZqWe%nvNe4-I31Sz7?{)E|pt2T(d_MPSPWM(Wozn;iWw($mMWZuN1$lSNlN>Y&1F@zMdbe|gkEwP&>_`o%7q=L4WB{!V%LL3PPB<`I"
    b"To0AEN|AZ2p~|;BgI&Gd$D~N@QoX3i2`Fn4EM6xl$Z<<{vynHG(J}+oz@nBh*Y4QXV*gkS{bDrdLG_xO&6wMC?GL=3*a#<xuCwT_8I{co26S4$"
    b"1a2iq*4sRbziXYbG}TjPoFaqP67g#~q|X$dduZ9Gnr+Aakerr`m6<#t{Y5Hj032=hBA6pUGv77U-*}u5=Iq^O1-T+aBk6i72)!sH>_4{w{&QVp"
    b"UvO&zKzBU|vZ4YCpKDyeAq+z4x%gyYzNs@aF1R}TGRzp)w~_bE)|2~V^h2V*$|pSN;;ZOzALFWQql>fUF&1F0P>klPcyG9u1?<vwZ@3x*a@1-8"
    b"bI;`D-UD$7xkqi8XG6G}^qvA0Rcz#nChQtUCFZk2Jw>IsoxzZG+C#O(@i$^E;TSLZT|3@Ib~e{;;7KalB|PWEt3~9&1TO_maq9DEwTB9Vb1E2_"
    b"?IJ&52OA7?PBac-ir(@4qph0YJIs%2U=FmugAIaSY6jF%jh9DvxL{h=2Nb@NMNB2QmccMzspUYA0rszl0T$HaMb*FSC}km_u1_#5PD&uiULhbL"
    b"7brP|W`P{SOOz10fW00Uhpv2Q<;7Z&y4hjF1zrf!Sf}7^w{4bAh>+HC2;dMC+?{|J#gbEK&#HKAV0%|BMP&!OjSx8SxBC^Hs^$!Zcd7>AFKpUW"
    b"=<^89^;%uP@J&sH@aBSrp!B$(SHz+~&p^$iIu{Ihp28lK(nRd0Xyzs_=DvK<R&lq*qdfr{M|*!v8l@|ir8t^&ILuPU<Kjn!j1t;!Rq=FiM;v$y"
    b"pFRoop0%*^s@+yw*jHJ7Pi?{+Hfr$hw~zey0Qa6~p0U?S14m<54iB%zdn^(Ystk9)I23oFk$e44O9g=u8>Nh-djP?oRD`{Qs^s^K`#hce07nR)"
    b"s}*p%9Dmt1n7F@isl>%lZf>7|mp(p?6M>bHZ>ORg$x;~g&k+(kCiGedQ3ClP0XrMKbISHH2`S9-5fmHwk%>@5>e7d9<tWdU%xzpwibr1aULYRC"
    b";HMJrv<6k%FMhS~U(wLTRuX+{=vZE`aZ3aewTMe>?xfmWl#ywA#Ytgl)KapzM<Km!(6k55WXJZ>;yFrx*_nukyww5X_1+Nqe4Q#5264v@YX!kR"
    b"5ImG8#yUxHo=VKGRNg|DX|OudR1DA_23IoH;xfM>mEsx78z$&{HUN?u$OO~r0qe@<2g!MwD*c!U1XBU*857yyO*P<HXS}`a$1%5tHl%FJqSJ^{"
    b"0dx}v0v>s#;NsI?>fc!bvWJ1iT7Z}|HyGzBiTnI5WbFYEAA|)nq9n}ia@RoFmQQ}8q_VrO>B#a-SHO>8W!UwV9K6$3&#e>aEf}`4P%L*)h@RiF"
    b"_$O`IgZyz*4%@ETgPuPa!mcUS)$*j=;6X#P++`%lWXJ9x@ZcZyucC(EOScEzKbQ4(Ri1V28f!X3)xYy8i1mVPFm#z+9nV0(*mmWotvl!!EH^xG"
    b"OLVK_X7EL^yDxov1k|@DJG{A|&>~4}i}qh+aRo7d*hlf-%Sm{z8e!yYeNL7}^~;eGajeM^PU0Z|7;CR*?O7*?lNQ?K8Z5}<s2#b0|E^2!nq`z&"
    b"UWnDBT@|_-$qtqM0B;6#6)o<r3-N%6fusBTuKZpV&YC$8#VRr!!{<>lKidX<HugcPwXt{@SS*_=5_L%ADmt~K*9ce1`l0x1*f~_oann4F6OQ6^"
    b"IE+MLe?fC-NoPQzbXXRHwXIpiwq5yRe?V<I+!xG1Y++|0pNj1xsxdwTn<Bqw>>y-_dr&-`>8LkM@MwhxFXZS=QRE_|=%EOtkdbBHW5p*J>c&hK"
    b"&Mn!%r=Y}~2~yGC-s{rRN1WCpVqD20`fhX5{%B$n2|U(ni{1LZt?4KTEt?S#C-n|`tKdnyl=kv4uL_Fgk);sn4K~Fx<e-XK$sDJf0_u%YVM!MN"
    b"u{Gkc46x?R4z_pebJ*r>VJ4^WSK$9Gr2xs159YD$<QrVjNI?{E(r)4qQ^b|9Y$i6?yjX)A-{3mT5UYYblz7*4d5{jsr<mM=i8$SUM$9d3*$C#T"
    b"m3$_a2O38t1`g|>BnWnB)kE12zN%N7CG9ZTu7Je_6FvwvnC55>2PZQwMp8;f(nh>Y8%xCAc*+rxzN{iOiVdhBP5ayy{j&sdd_mo<u)XB@tU4j>"
    b"B1^aiVTzQ8OuEcW@_mFb-n!xkj<Mi`w{HEVvX;$QYTB@TX=w6NRB{+AKgMDj!80_pU4ke@>Xs0+=DUJ|m<!mM@n2){3XqV_tQ{;CnX(VQU}Oy!"
    b"r$OO{pn2SabsBo;(9=s2{JsSztPfyN|LWPeAo;9|+-f=uFZ+t(BA{YYYy&flk14VEPERWkZ1QYA0J==(S(^5y3tsuSYTz4<O&ABb)D}LoMUvUw"
    b"NLy-y^DOV*9QDoH3I2gWjA!p`@aMdE_svO(GZYO}n^TZ<s4rk^*V6~WaziLg7{CaR4WR=uEQicw_jlJ+XpdLafZ{ux)3k`U1+-(cy+zm6=-2<c"
    b"`1z@B@6i$Tzy{|!IeHr>hTFc1P!>>rr?BjU3N*#R?O7)kgpgF{4hB~j()s!i4Qj!;bit;js7us#gg~%$5UT`1qc3T(Vt6V#XcugA9^p?_Q}*Tg"
    b"wyE$Wu8S$Mc2=f=*VLMelp4-YPlTYm6VdE)i?AX@P_)6OD7(6Pd>Z(nmFlq?7Ec9zd|LFwQ4hjjUQE{>Mr`@i;l)AtB*siJQnJq_h`m2Tw9nQ5"
    b"c2$7piz{rq$$S+KZvH4>PC}D~IEu&%_s6!jCHMl%TL$J|@lZ7l#RzStYt+A(Wbj=AQODq|9DIWUf7PKK?>5+3V^RGuA2OKdkBWg)c7$pUUl7Zw"
    b"JQdaPcC~s!<N5H7+%V8W-mQ=7e{H)WM36D37dpd4oL>oFmYKkSOa^x6MheifSWm($Au%KxHGxK)n|HthI1+~TMBvGC+N`b~IIGMi!RXf~iSfXQ"
    b";Q&r<di+OT)Nv012~35eYh})hBx3l$5kq--5gX<q`61``dDta6HB$^~iQ^M0N6Xqwl8AS<5Ef_a#OP3P2EU<JDqIs)+ef{PJHN_p2e?;r7pP(-"
    b";LVUO=oGW)*(ossdhCzB52eO@XNxsUI786)GXA-3TYPWFoS2i#TJDw!+Y;MzHG>ET*8VXWe3+>N*2JDzF>n5n(aV5J|1|R=1puM&JvQe2K?{dd"
    b"<Y(;uyJk&i4lAxHm$~gyyp#f!alkR;)JP9#q;KR3DY3ga@5pFU>@m>&z))8PqeF)YvPe$_q=h<yQU>$2i0KByl{zUOYC3tR4?g{;+DPy}=hgj4"
    b"?g<(qBmaPLg#`Vy+8jX_!8A5OUOpqt*#k^-Q-0%2Fs))Hyqyc|P|+fc_p)*H!5K(J!FTdYkw|<-|I2wKc8C_yxGOcKW%C*2kaX^d7me97FfOzi"
    b"@ntwQ$_WH&vk{zhKtf?L%#<;G<foscm<*weGsOqamlAGJa7gfIqZX!3O5n1aQlhJIydMf2u-^7hI)&zFt5*I*>LmQp;fZ0H$K<ITCL110FeI}Y"
    b">6#d4ibU_TS&&Y~HF!=*@JW&T$x+ibyLG$m5uDW(Ihmx6ag+tUJ@6U@)(7%cv&s?+SeMW!785}nH@<d_!O%etg4<O!1jt%N#YSdeQ7*T59KitR"
    b"9fR{VY()CDp;;@ATaZfgN}k|i4nR%j7C~*#^Q!rKl6W|rj0X921a!`jp`2sSe{D<PK?#fsI<f|V)c}26iATo6;Dl(z$zo<$W{{Mqyf%?wFctxE"
    b"8)#y?XwG4p8JnSWk~Z4S)OA^FRTMVu6j1txgfzUM$uci?txa!|rXGrD`{+%yBJ4$4j2L$CYTy~JfP}Q?{x(89&`}f}3Zs<caO^9^V0g3r5(d4F"
    b"&^TdX8V^J#CVmWx{F#3kFsK)92U{W!vVL){T6$yqpB0mK^$yl&gbeb$xG(Dz=C^hryuM!*mIylmtei!)?Z$xe1V)cG{-lSEx&+)(IVi|?^gKh7"
    b"M3N07)h$9yDoq~sx~SAKpI*Y^z@y!w3>0j{3{DOKRNdPf5+8%j$W<|)gd3VuI`b~d4O^^pHkR)^tdrmpy5ML#JfTi+>3v-}ESZ0md|9U*C!!)n"
    b"e9W`JgDp0{hK&&E=wNcR&s8Zu?ydqOqQ51C&DI}S1?E-Md=QM{W0VA`H*mj?27yf<azm{@y3c3Rz09(7KRJ5l;TU^eD!ddSO(Z_Ou%{ej5yG=m"
    b"S|^lEzLocQ7FhNM>^CjC4xvY&q8$`~HnKnxmo*(^z!Gj?(PK#14^^`*!@DYo49al}9H>?cQW^9rnT!t`k6!3xOGH?5Ek$n^T3qaRiv_{=q55eC"
    b"jU{RoJx(fWk@6UXj&LN&x1UK^nhJ_PwK&_Z2&+B>!={k~D4EZbsl`?&^Ejff+qzorET(tB@s4kIUCYVO#LTDpHPU!*GQWn2`~zeaVB1gt>em=r"
    b"kUb2+Qc_kvPvoPRAwAN2L-s4#P#q@)-+(|R(Q?n1BQ)a^WN4RdJ@TlfN@^M<*q_t8R@4j@(4JkO1Jgm<j086{QPuHww|Rjx>?4LJFNltFZ|}!B"
    b"(SN*`rR*pB1opC%{bZkj`p4Llz!+H*fI-BfJcf)j3InJuJm7c|nTZ=lr<pb}DC|7P9MH~g1U+m<us9DVb|OL;-FPAcqJhYgK3$SFl^-Wb#m$QO"
    b"h8H4Yml!&FEae&Hsbwle6XivUmWe+SGmm9+rkbJkvwFN7$oV04$P7KqkkvqVy;!(-H29>q1Mj+;l`bnyfV)YLOq7kI-2m2+yE_IoEnY8ZkOVc$"
    b"G^`@}jn&#A{G}{6M|JhRyyjCxs3CtOW+*mwLGg)_qUc;5gUS_r`qF@;Np%fB8clMrDBUyXs4pe?ingnS{a#iDt&@<%{?GIQxsTcu!jMpaRRs19"
    b"vmPe+m#-Ad?5&rEZi3rPVs3^Q)Q%B#UE?Jdx|@u{oVA?cQy%)7i+Tk@C>?`uc*OLHB*<7|9}^nEGA|sSQ{=bHs_ZMKk{1$-KPB<uws^Ei4s$`7"
    b"XH7?N&QQ^ePOSnpRZP|0vWhetufK$C727VAtLZ*Mmah{w`VnCRm07EbZduuC2IRMDc={K6oVWDg4|o)bABF8lZ=>+LAj1d>cNG>*-4XV@86`uY"
    b"YbS>+2O7Tl_oB)kuNbQ`$$%TD&tA%&&%aiM1;v4qL1m-*k6y)KVsr=^1%??r2?fD@GewQEgn423w1K}*e6fwDp8e>esOm|0I)kp&I>`GTE;t<%"
    b"r2CT*bnZQn?b69sur3SQ6Mkqyokk>}N#r8>JhI^=hO$KrtMxAmZp|L?aj_2T3<kBN;c}tD@dCg&BPjyJCV)5Pvf5P6GGK(*d#VxeU0>koan7(5"
    b"MRryOk1*d53sZIsJTQ-wr=+u%6dDdk4|Au;ux6wLdag?6hc4-^RwDM}B**4;m#C#XPs+hL9QXu(e-yj05wYLCK(iNtuk(>In%t}DguSb{)C(wj"
    b"hLCSY&9CWz@S#|iE@HsCxGJ#DufM+^|IXmum)}2(#$T>CU*Fq^i1=U-;kDAyCU}u*oxY<1PTS+VF}yR9p4FBf*+6KF?=T(YVD%TH8DH_TZKUre"
    b"`Dk*lt};#9C_@B4D$|U_H40Wi+`ZUK*H611P1BVNp&UtnM)ot;dpAPY?w0U%eA=GEH|3_@O<3&^&S>#0N~H7!K3yCrw@V|4*^Z>gW%-%|hot-O"
    b"Rt{?R4}}+KaUj^q{jY7coZz3Md+$~iak5beWz{MZE#A`gpp7I_H3dWCArw?Z7O-E+l{UEsQ~kGOG#~YhXC_B8F*qwW#WIdqzRDQMG-7O9go7R<"
    b"r3M2KFS+U=b45>wZ($?Y%N`9_Xt!hkK_b|bgIcrO3L3O<`RTHJgf$k~smo*^p1Vb>z9$m5)N7H9qAEnuBd(yQ3tP=KU`$1fH@)CziTmfJ%DRG$"
    b"ko(%Kce-brBHko>+imeNKEP31_*#WiOeKFV>$>H~;sM9~!Y=j+!6n+8h8kOF$P`1jLbr8qhC(u^=x|cq&0&gVd<b&E9=Q1}NW9p^Fg;D#m-2*Z"
    b"2t|W*N}2a*6PfB~#k#7=>_v7_+^zHL>jL8$PC&@CcX4qF3(1xGVupDmT{TIG!hp?a!H&{WBr3S#q2%H+KNUY-;wu8gJT7A|r&Y2ARmB{gO2*6P"
    b"5gEAsRItKt1c)LV!E!~H0oNQED&7kx3WLha4GKjl#R$j3`%U4@-4aB`&FPD$?Ep+Jlml(8?HN5I*?M!SVlRa3tu;Jq9-Nf|tQis&LQ(|H7p;9x"
    b"+BNL$rKLnkY)99(@?HlRrxOq<Y!x6{ra&})Hn(NKCgq7q$L~<1W;BC7wTSTd&m%#seKNd^kO*6qB%`#Wc(|l!?uhZ4M6@j92DT<2m$=c#rTn;h"
    b"L;>cJ?3wW0Y#GnJ`U=H!)fI1pgRg|Y-YN2XsRt!^h|h<3XLVb!!98^7ye!Lq{Qe$~*_kT2MFiV-GCcgK`qE_+UpIB=lTr-(BbJ_6{9g5GLG{Ty"
    b"kNn9}TvgO(+h!@Q1157<c0C=>DW+BqkBHCEJ>5NWc$adxir`9o-aZy&v7E%dsG5u7Ck<Hw@gQc~yDIR0ikB(h4MOoX=4KWrG4t5y*X@t8b9tjf"
    b"I)_+1RS$zpY=PeDRxy#q_MWbRrEPx;@@Ct#YtkaPH0gNvl61ZHn?s>oyV?@A_jz6vkmk>KKM$u8eE;)3F#Wn{N))jQR6r1Gy={l0CJPSfwdf)Z"
    b"z2DIBAO9RG{7wV!H2`sS>fFG*R&~buzIxoY+n!7_tzkdkqYHsxm_A=Q7uH0i@-(|Kg7NP+N*==P;)vYrI<z?&iO(kKIYG=jj_RuD$EbC&!ww%K"
    b"joe&UqFF%fHB-?!=ke8lg$46idt4ftm9wb#X7Q!mIb&o?@K+<1piZfC3dVOpQhr47!I5G_RhcJ+jZ2q_ojYZv-d4j{kzvVQmFuE=&PiGQ{be61"
    b"D9XF)MZeLj4dgaziz8ld07aOOG}ys;NSoY6COG@{u&1!tX>Un5GTGCq70)!KlB=sog(aXaI%0mhZ3^BNc|eQZjq{U^6P3Hg-~I~M@UYq;WS#73"
    b"p-FzkhO3KhU+%*jD|LGtP!W`kyxJUe-8R-dseH6)im(4fobaR&K=T~Z^^qoy%&Lne-gTKyg1SO(bP%R%`%UInP%P5r$c3yhD`T5Zn@Y6>qWb71"
    b"L{-At`lK}efI3KgBB+T|z$YExuKOp~paX_<$r5Z=I|<G~lF8!&w(W)yJQqQO{x&cnc_uKlfJumZw%#Sgj`JpBK*2vYAwq~pSg*$-cT=RllG`s1"
    b"R`JuIMbNvtf7te<5X~-eE6Lx@9vgK5$?ifFg5r`>F1gG|w-~!2ntoykZSbPck+vh#bKKx<yD~cZbD0TFU6TaBG*nz{wdN5+Z&<kNBVz+kanUoK"
    b"n6br#yg72)JR%<gUQDlFv)P~V#7D3-8}t<8Ty1Mr`p)NmKNVNcblNTNaU@>-)Kv%su~BmI<IO4TxB}Bxw{!`tw&aGBYs`eh1iyA{GdVx!i$md7"
    b"B_3kq0iniY$Ke7HQwu<it{=s|K$slyD{Y$i+E{e`MmCnBs#3a4WQAzbD0H=9?E?R*?iIs5>tNM4@io64#<ys*BG7#@d;=+MM;(v~heaB_owF~;"
    b"<+Hf7+jiWa5_hDlRF2?>Kj~)Q)XHDtJ!A~WoMHN!Ts3u2`ccG1CG5*o?`X^jH8d;~5nM-1b5vS}gfLc+y-{3gj_dZG|7z!$@BxN<CX0kjUeEy4"
    b"0%7<@jO8%QHw>o18ajsb3x)Yr9vpVb<jD}>%Q3XA`YRD!#a|Ma#9zn@F>t^0l1Mc|mkp@mgKc=wTaDv=<;SUc8@v|JH3dc1S@l`mZjMNVv4dWs"
    b"YJp#mV~hQNiR}w7w$L#Y3gBRu*&fPh!r1S2#IrF<fY><(uhS~{S|*er+;=J3mhqJcuBgVn+9QAL5j>tzPlK*H!ySPDg+gUGSE3iFt~j)S*)~WJ"
    b"n%yYc=J-kkmub2I$T886?@Kf-+-osxIe$Iwi$&g-_3IhFoXxgcY0~~TIJ{?2u6_jZhPzsKMyP2TVR@E(u7ZSy><(!0A6l=|Z-Ok~2!}{OooO1K"
    b"_F%--&e5AnA~y0i#16d_V_R`Q&9z?|O`3_Y;wi!ac?Jo3ByEbJT@yByxYHsnrylc+6JGf)A3VPp(Up@=J;R#rKrO%s(q{W2InPX5Hilg`29xD6"
    b"N;{Z6fk*@L(0E3#mq&N!323(=j^K*xky(lNkzFa$U4M?zEXVOS*VkhBjOA^XAe|<NknI@S<@$1jmonu!r!tC%<ld|Y&HY}Bj?cgf+POEFTC^CC"
    b"Ab(8p>S;!?>{naV4*4s5Ozw;>h3^qEoC|{E_}I+*slK&;C0^3#{7Gb=DJCt%{<ZtH7$X^{3~vnU3-B7N`;}PZ1p%(CP*|bF!yTf;W4kM;LxytF"
    b"M%y)Mg7Go!H1i0J7re>YL`RSs|N1m@o^OPtO!#;~>i9KrBe*$pFGa-NUZ7i)Xtbgn9bbEmmCSLW(0eGZ^smNo)d1FrwjL`K{mFm>?YA4bYm|UC"
    b"n>_@V_MVmr1I;cf0hygKOsyV;ci{2#gS`Y=*(%8cQ4)(DPpjLe48&2SHueZf6N=u&RVf#H&%@)f@?LwH?%fch4zt*`+kwM$s-yujxl#K8ewi*z"
    b"GzZ#(y|9+ONY09t@QVzknWDpT*NQKwzuufK*TuVczZ*4J^rixXHUQZ1E4r&a5ltd0758W^gNz<OPY$H&@aoFGC{9z-C$Uuj9r5_K?oqSS%ctk<"
    b"qxeWk2*y4r+26*b%of#oCqn;_w!~-E&#@xvvAU?{?L0KP*Zez}e;aDysW?q#UAU4-9~%ThRFD;QBr+Tmb0VQDwWGuj!olj}V<$RrMH%g{k%Ig&"
    b"3=`URNF%eMW_U{&U5EBYh#5IC0<5^bGG!Yh97KG!%!Y62O)m?C9&@d-XSjvc%0-TsVIr#R#Iwf&ji(eVr!v>8pc!Q++b+2UbV$)fQ0pKP;$Mde"
    b"$Bi-RX8+h=x#crJ8cb|3p`;OJke?lqU%q0A2aIH3%<~`bj*uuAJe;ws(pmfPAR50}+v#a`+XXG4{Un@fIIK+85u`lfmPV}Wtcc-6l`rwGu1~|!"
    b"K^{6-geCn{6R*lX#*@NpASHnOb9zxcR!dBPFV~Sg9z`VxB>Msw1@sPbzg>?tV|;Fv9~;wi4moa1t1I}hYK!S+I8|G0?|bTM)8(8&AD?zrC&CJg"
    b"m!R-4ncv~%50Sx^1O$qB#%T@rw*zpbkf(YQwtmZ*q<5~9GR5W?CQ0!^w#M7FH?X*?hiZ+lY{`dbVoMyFC$tHlJx0qRFX!hbM0}`-zGu*t3$WwF"
    b"_jb!q`-r!hiMq~@D#6(~robLik>%6=a2Z|GV1xmE?JKA*cqe~UgPz92puy`%e1RQ=(g(5gT&wF0S4_T|aJ3yW-``Swa=r#h=nJp?M1A(l`zHB|"
    b"Qe<t*M{hj?^MR!mcStz(G&&oXiJGM4K1*mXe1@j6V>xDcdWZ-qbcV9;vvFelwyjplXDCvmJUv^L%Q`@3ML*!<2LU0b6(So1^kP`KXzEe_(~L}b"
    b"D<Ans^)LkJ_NnT_w~Gn~paj%Guz=c23jg(%g3!vc-bJr2W-wC>JcvZsg(?0VI)W|#Qi?p1kodI^Pcx?7%LA`qF|00r7Qygo44-}n1>{#B^mT(g"
    b"f*fd%lK9RSs_t^)IhtY8GmN~4%VS)?Zs4h?(Q{;1txD_B>04Pm(-QpG;U4q>JJ8_!!g|p`?F+^27T*hGePJZc(AzV;fR_2@`o(De2s3<vqyFee"
    b"Q4ML1j&Lx7FZZY83zd*wPb*Bv(SqgFgMGx;lJ(^rqra9kEkt6AFx!A6kM8?|O2rHx>iEm@$5rEXdnO8Pa#YRj-t#3F#Um8e&_(+Vd9Q9PE*ayE"
    b"KI+1x7hn4t`HElRy6&p)wB)K_nZ=ORMkWp_B3zVZ(XEpAzu4HtxVH}@m&bRV7*T~y$p{LveYUKJw{Lt?hI`an1TmSN!x|)C)8VJcuwnEOjL$`n"
    b"mcF_1*<_xrVCbNy!izICdy0)7FwkP2O(OGdo9B^J|6h|in@b(HKPU5B^c0D9+Ry9)KT8jH2PvoKQA_*xx4+?>u!y%Q;xI+LOA+r=#P2EMLxM=t"
    b"Op{DgOcPAg`$qzQOyGYeux$%=5Zt5xJKROL32khK=#u&?QDc-IdaPXGFIwE3SI?y*?%4gnyr*8I-_6dPumT2_@VZ)70~#vDXMl*nwIFwYa}sYy"
    b"<B@QQ#p|mjfas_gey*#gA+q`rvE{-|>0Q&a4hrVVj<9ztc}NPw>K)jA_LZD8;n;jpC`3!b&!i^xY*JqH-giR6H)@O8PiFDC7Yx%z%uo$3p5&1B"
    b"JUks|`|Og;On}iR?+oelq&Y?mCUXKm3FKQBr3!SUL?)?QzW2yZ5E6^gC|lWwGg@M<FG;(v$H9rA(hr*Ps-WZErQ%VM33wo4!a&A5e#4I5Pq5$Y"
    b"ecULM;&M`ILavWr>Bi1b@I^lKAcJLLMoC+(p<**#8<VIaN-C&Qvj-1m_;%-(3=>k)EqW-4=x-gl_ceD8vnR0_1<ljr!e-FV)rRzRJ&rwt$GKM2"
    b"o@b9wA6cHdviz@GXTu7CS4(BHF|SuezfNE88+#w!2|WhDu|f-uXm&~NF)#n2`E1+$fCau>;dRG7B+Fufv%v6?A3fAb$%^N*1CR3@fN3M^d@jtT"
    b"7_8jC>DE9LLOpyCL91d5n`^P;v5JA28aUGRNW2uTLctlbFJw0I&I-&y_=ji6>04v4Gpf`DgFcM5Z-*a!tLYX$U{vPds}||?2@r(3o?c}#3ZQuR"
    b"mKQUzGRG%sw;NjM?EA$1-cr%x*lwcQ0pBdVDe;|@@|x}Xad%|z9XT_0TC&l3&(*_2Uk>Czv|Z~xar?IFF${d3k=^9D?1!^zkP8<^?#5LQI^ycW"
    b"+=#goWPWmnD!Bz_N=rbnh%xCoyu5+ZW)IUT@9ae|#vLZz{YrPyYZzf&8L!36aFf6+ZR8#oQSreba)ICaJl9s#PfFdcC5yeJUiUfeI=Qq#sI<oG"
    b"cvXZzJaFlUs10#nFXTFkq~S}AZydhxtw?GPC!OBg@PRF*4*%)i7@~CMotq`7uA2xvT^(vA$ps|OaJlh5+jh7R?sQo4wvXIQ$4f!RxY<+mrnGdV"
    b"490w$SJz@6Mo&keGN;cXg#!&@eg1;he3f6=(h`TnO%z4RWf~JHmLNP28r`@QJ#kX6el@!|yriw!s!VI&Ap!o&JRpAaX%>~P9I`L+2#N=#LdfdT"
    b")G;RFj%8c5a)d=ZUI|+jn;~8V3(q3TQ6<mmNcX)MTw-S}5#6AVa0qTtUQ6l7y1KVJj%4?tbJ3#dDjAGr9<|xCCs#FZE9IChkkL<>7UFz1KZzX1"
    b"NbYog&Py^Btiwy@$taN{n%h>yXqi*65)9jW8;x_4-=jVwiF=yw_H07lR^U%B=|1>W<aH^IKpb;&wYY{I30gPdjg|B*cB?j@@P5dS7J71vj^}Cz"
    b"==CUrVzwubd8lL!B>Tv8wU#US&=$FXjE-IHe3WJMwE13vR7ZX?^kGor0cdgh*$AO1A>pcdQ#8*PRloK(r2`qeeVoiX5ef#^9c-?mZO+CW9S$N@"
    b"lCmhnLaEXJki7@&VR^{p&(B&lxR)9Eemxoics%qlE)AndVZ(yqF`2B!Li4l5Abk=rMY33cOCqK7gPOM3_!Ff-2Dv;&XhGa}bvM);MGu0B!bf>!"
    b"*n;b^ffb1j2@2_Vpn<y2o*~9y9{Lr}u(xXpAmh*ye1p9Ow>7#1bVq=w5I2+Q73mO9spz`t<mlw<*>rL|zdX6Vz2U(BTwUKTV5K}dKc8J)enlzn"
    b"^73?cdvbJp1j`NlJ()w)lheiQ3q*&|d~tn!baQk8U!8nCT3kcq>E!hM^aA6=&;kCryPRKL0`AY*>Gk~b>}onWo1dTF&M!_ObaiuabbERW-<;iD"
    b"&iHE#ot+<jT5yoFoa3vwJxuxLnVfB`X2VZ1l^54l;+8u>M922?lXFfT0+=`kitvWx99uv6wokEw2xVsQqHQX?K}*2m_J~?dAeyoq{(5vXKf1h~"
    b"%rCCbZ~uLLDixfE&o94TeL0o7%0)hYtp|D(J!f)BZ{=-Td9R1<%GMhWkzgA_ha7}i6at5n^ZBvlO#R1ALP2g6tpJA>w}kq1ae6YpyMW-o7hJ;I"
    b"e*+4Cu1}9{aTsBU6El^=pvJ#Gg{(O)GzCYMfE^`(l8+%o-@Z1m|0uo}li<m2)`75YOv{jJR>Egb@7akN@9W74MMH1FN5^=-lDl|#|6^g6`UP7;"
    b"#p(LTLV1C{W%0*?+{^#5NEi4&7WtYDj4Gg`rgS=nJP1ZQ?H>#CRP@VHFCsh3<J0x~KNd1s{#Xc%KL<z6E(CG$qb~_$cRT@VTU7rji03gO%;y&h"
    b"lDw)wIQ327m`%VOW|(&w=DlKAejx|1g5fh+g<M?^KzLYJeHk;AsVxv5ZND~B%*s7Ef@RsS=Xlw91bGmIy|7@+8`-+YSWxo}v*%0P%4a!`A@_Wb"
    b"yI2_6J&Y8$_~W^_+1#0uctU)5RK;i7d-AF`HDOb{G2{WvVKl5L9?4+<nJAJCN)-5G<n(m#|3o>^yIwUE|EaCT&QWIiQLp|vY>f^1Gw(I`kuQtO"
    b"eI&A%h^-I~<54%^1ush)(LBtPPP2%U64pn2_aYp2q1snp=i7rmxK%e9(-`BV#P>Jz1f#BiDS6s%pB2$DqR%0YIdY{WgY#?E4ckH<e!t~2RlRD$"
    b"jmYW%0q%OIy^=l6*x{;*ZrPOEN7yrSRNs$ptGaad5&n<qj6}aeOYFVzqX??ZAL5&>i5r*W=siXJ<;YaPUye<RgRJ>}vDtJq;c3jus<!T$>hEp2"
    b"mwDX{4{twY922k~e+jv#H2G+y+4R~P!W<Jf{gW6}@g~C@h>tz=2&oI;bR^nc^F+-bk6V<p2Fv))d<MJ9<uh+wepNU9hOMvYuR4{)@Ejx|)IkIf"
    b"j)+{8^@9nH?``<7wHE{3w}&5ND7r#B{QW}=MfC4)4`V2zKfDit7xR2`)U7A58(CEAmHvY0vxe`FaDRm^#u@6?><*rP1v~4O?+*E|U`{shPr^5="
    b"HU1Z9@l?E}KM}?{@sHxZm-s(Ihx8}H7e)VkP5x1F8hpnCk%v-W-+iH)xc4N7BjpOK_(IG-KYj>R{}U_z{U`p{@Y~<Mzt!J^uh{w)u(3>7BOTf="
    b"4%06}m|_G7A{~DVfrGE-F&tyePC_8YfN+d)@~;qxF(4dcoat|*pBeJk`*mf4F%m&O-k}Zqn4w-@VJE1+76*Ot_JadLt3`~D|Ivoi*dHnK@w$3T"
    b"e-t{TKLn9xF#5BUcdik6gRfj84`kH3!2k5krw1rK{yF%HqnJaOF@-S3`G1$NVW7VRUoY$Rw*GtdcMS2j2E+s+NME%ZOoo35v%shPU<OL~kp3w2"
    b"j{Ye0{w@Cv@FD*dn4@ca82B{9<yUcfy{vQqQqxI<h8o7tQM3>XCjd&qn5q{Y!5zr&7FDHcMCRY`)jY}ZH10ygj+z*J8p+*|Gv{pjK8`yt4JLde"
    b"CVS%_SZqA(Fv!qq`_Se%Vmv}H{YG-;Jx{Cw*(Pm*&Zksu5^e#LawqwYclF`<crAm`Bt>V`A;fxqhYE+b^Al8M$EFVUtaC{mL<6g*ipkGM(w}p*"
    b"px>Cx$yKz?fP5Uz1B$gtHo{^H3p71GxCb9S^}S3-7ZQpKZxhZRo3<;*y2QL0ubmn7DPK_j_ljk%>ii^HZ8Ao$L|iqoX|2hV#XCX&s#%OiUyMeU"
    b"vkvbOagsH+akOpGVrA~5@=2-3naB7HniPE*CK`Bpnr|0Y9qQv!Kf_zr5km$Ds20n5?@v5{q(iva>VK}~gu+Z&z}XQNM*E+A(!X>P*S*Mm-q<hv"
    b"WKU-PV5T}2!BSt&B21+|PSN1dbl8!v9L3Y!QO3=q`^)I$j{TbdYJP9nZ?rsr9PlrHP7fv7+96^O$MmGY6z9-BNa71a#!4?x_`Z;(#Q02;)7rGG"
    b"a%O`oOwgl#+7?{_gDWvfNQu$WD4waKKYY4F91j`o^oLagjTy&?YS{*&?)R$vA=YVqet!y$h_>s*>2JKUwP}0jWH{WbV&5ou(nd$gV`Ug2Vnq$J"
    b";KQp>)s&DYc?X4kA;(d2l4tB3Hbc?Qi;s1n714FkVXvcO-YxnQltV7VtmB<cTn6}Cx+baT6R?JTE9&QoBt;34i3yopiSvJV^ON5j729wJgtJk}"
    b"NNqt(V<!~tAT60bgrIQt#wl7nl0A||^mzuz;P+?GkDV5sGh&WJ7=}kZof2n<wedU=#OBNa8+0wK@YO@bCJn37b!fQ79;%i0>KnG}lS_6J2eF@F"
    b"boOkqd`n#KLpqY&mQ248*WHA|#xudcVEc!bKw)`03g$l$qPOGNBkPgcJsoXVm6`)lm{ZgcCTL%~7HWcV&s?w9FvXW;2-OnOwM&LSBNbGi;BCj;"
    b"3U)S<hKAKHORn{^sS=yEEX#QHHpwO64F+<es|m0SVChJ3_*PURpPP0~DWQ21!VP*(SC4oR9kRsJMGw%RF*zAz$Ry%4{fG&viOL+CAOvd-jx_GP"
    b"c>>CSW|Go|B=F()7cj_wnldpQibJ55gn&>8*6AiKKZZOA^9D_VNIylk$Q;Y$tq2p6;tCv!mE`I{7`=Gk2b%4%ylnB_lQDEQsy9hn=LZeFo8kvH"
    b"CH#yuqZrBTOpyaB6iqSOXbOkI>LRDlJu@1m9J)EZE;caD?0}58kV!ykE&&m;(a~1t%*sF8<UwOyN>2m@|M}`waY@fpC1~eqpHXVY6`tQVi$Y)P"
    b"gFF57mEyh0A7V%2)}|?IJ?QnI`hrZq(g&~h5cs5DH+u5u5^h(QC7%SFhv1hbaFMDFZ*`*(mA_XODm1H$YK`yGzz_drOA!hNt8an(@R&S<Fp`^P"
    b"wJGv$oZ-V=?PCZ1zEkz!Y`LZ%JOhOvilJ|a>$VaIpE#Q6&L>B`cxRy9Lju|tIUT{SH~ntS?{<ViU~pf`oerCm@*!-nM<bk#kd4!chnL9aTQ`Jm"
    b"i^tqr3<eGSJNylLdiVC-Z@<fM7n@etiiV0<;8WLbH;Cb_6%CUL_i})OTF4K2rxDEuBa(N2rU^Rw><|L4B>1v?^2G@14v!!h(wp!Ou&Z>$+C;+0"
    b"fbiX1<_U-Wvs-fa8Q%jfFV0W;A^}aCIXn(W9*cZWRRA%vv4Avx9NG3IK8LoC4_W+OQ~unLkx7VQQs_6>>}s^chU)#swtv6T=8)y#<a9xnS)+65"
    b"WO0Q5v4Z%sFAjDaFg*;$yru|_j%|zAM`Cjv#iS!!yxrDMPG_<GPiM1j_Z|5)2M**{n7AOxu?z+A>yzpMRzZAx4n*Y?#v0}*z8!`GKcNANipJ|~"
    b"I2%i1X|p6~mnsZ0`YQ$Ki}(@5fW5Rf(CN%JEkNwY3`Gvq9e;Swuf{^`F&q!P&tFc?CZ8{kX7uOc<ahdAd_H=s0aT7l@ZHDvA^1NQ|38j``f~v&"
    b"Xje)P@$+nR9!0UVa~P9j3^qIxg+}}R(*)n8ArqS^2HCd}1j?1q^2@qd;&~qaVyW@>&-Ou45JW829sZAxXrBAYln*nV0@_O#=U>V-|Fuy8<fsq`"
    b"QH%ar)Lv*^!jA}CRrKF5F@Vg<0}%0KSf9Vl7H>z>xGq-lz~s8<`yXw$vNPxUzKri+ng@dbZ&<^1xz-1VF-*ECl<#JT_<y{mZZ1FVApqmJVa9Q@"
    b"k8uFOJkQCM7)5f;fO2(odc9}0&8cUOCY=C5YRLVmq~x=VILgy9qW{iJ-5bN{Os!L#R2o*wcFp5H>P&AQmWLnz`O)_AP4&OcswnFaP~nGWH~ty#"
    b"1f-a#bUaKyd!qx*e1N=wfA)R=H2cB-NFK~b0uK@X!9RP`0$NDx`r~iEz5VUuXPDLWzDU`9Sv`;n{q+0hI*1u~-2GhQ{HFlr9(yo6+BI3!PdM%Q"
    b"Cr)ODaUgR@N75qaShsD;iEknCy2K?mgfOKDjMei+N%+m5zyJ16^X6$kF#zf<%YGO^;Za|di7Z*)Zo#)AgM%=bvN4W*_=%RPQ4+R`h!oe)%l_@5"
    b"h>(`YC<#kL?!QrVf&G)+zlI3t=?0<zV+!l#&AxIiU{;t{Z3vXtK)1ZLuIbtmZr<rV0I4W6=5HtH)vI~jR{c}CB7N~F_Qg-6;z&c6Ihf68vi}q%"
    b"(_kNI<E?P0jgJS_j@K=G92ji$(zCd#Pf{=qmBNP^!mK|j$t*?*Y5zyYlV(EMpPC$H6ZQ$}6GN(fO%ZAShLmQ5BoX`rtk0Pyh}e~kCCxK4W5U^o"
    b"1`%=E(DmGvZdH6Q?17S^2YgcQvq~TCK?nq*db<)6SVo~B1d-$WsDd0RiDFGe9F;No$O<q@ii<4}aW`erYe@o2H79$B#+k^W(TV8GC~;mG^J6iR"
    b"XAm)()oOEvGo~8P4tnyi$g?n4otrZTeq1blU@!kfG4a!vXw=$y@kE`2D*~RxYXDc6JhCcLR7V<=ENXllBFqD6ZjgezZ0TaQ<;O}gHUTNd4Cc#Q"
    b"XhvL%Cn0ftcReTqL%&VPBPqAL?!O5&U!!GZ+t|0=zro&#l)8&brUXAm-%ExLhrD{2H#cn^aiQJ<XNsp=GL2cx=JOy1AN9+sqS0}UN(jYAg@UR9"
    b"L>r=h<>fc(h1Du!A3^T*2|11aa;(@_Lbxe6XlssqFimNMB#DZTQvJ<~zK`I)PouvaD;8Y{V@2OjvWa4MX}}6Bf@1#)Y5!efx9PF?8C^oX*`ga$"
    b"GzvyPd(P=M;E?KYbiNqeg<9y~XoJRBFZlEF(PvNF<~dJ0&GGK`?A>9gF+l&Yz{dzQ6*il~c96eOWRK5^Pd*Q8b!I$?*O3&1AB=>9A;4XyAG<8b"
    b"!~p-`ftb4Bq)VrW)Tfyo5X4hN$~x`<z8_>8!xH5(bxLJ@?kyRr5W-!jz9hR9;kAf}D#mE7;0nelSqc)n2@lG}jy{d1)?bJvcE_v>K~k2pf<Ky2"
    b"#5d%JhmWxc5$0%F^S`;I_x~_R4aXJ6gDDNTis^+VEk>T+V)<0A3$6_X)&6D#6^w&&lH@v)zOxyeQ=yy@R*s|Vk&Ikq(Tw30w?e!jM*}lF0+|uy"
    b"l*B=MBB{#(hs1kcII{V|iMKoBL1+yBJc$k5#&E%zB{!-_gFYs$kakc{BRcVRFB61S3vyA_m7Xbn;(DCVn+K5U{QY<1H2*!GRIJ+$mD~wI=A?JY"
    b"Vkz{ZxhLgbN$o83Uc&tRR4ZA+(n+S#xRDe*M!8D7?QkSw;jVG_;ib_dWz3l?#_*S!!dq^ksf9j9Sd(nW3I7Uh#BrEj=SUIkbc|7Iko(FEkMDpA"
    b"rzD0bR<yyWcRq^c*`{JAl89&Z`NZS;1&{b@Nf-xZ_OXBWH^Xq;WW@Gs%hlauzA3`x6>eQyAT9u-^;YCxZ(Rf5l#g3<Wgk3;q0`|Fc~z5NBd3QO"
    b"fACfL)7%84^FR7)Vqf6VBL7XXr{AGEg%}T%Kl$$g)sgA$MV3HYZ0c&rXvXm{H3}gq8ML)-w}XA%7)W9LB8XlHk=sEA;XlF4@MUMi%D`ipr><Q^"
    b"kWzu_26e&?=xHIQKj?;zR^$CrUr752m?3X6?or3vz~n>o6XW%KQ*;B0HX>}0yFmAxFk$3P3G`)5`f7Yhp$|^8iOS|qIEu=Fta&EKMc3gDOn$H1"
    b"ez<-rY-?E`uOy{RbCh+eGD2n+Nt>jO9Ga6=-$eMU@w^P%H`tM}tuvb&QBj%MCgw-EVN*Q`p52sn<Hh)2LaI^o{3`l(jVAQmN9e8bTiZR)q1yll"
    b"Be7%GKKSMUNE_$He|Of*6=D98eK2x0&hf!8{BsZ=#(SQ%?Q<pJ8{8jzkADuW>p2veE@_0mOc9H^T2Ig|1id4IV@i#nYJO@XHeQ%OV%CI?FKHc^"
    b"PGUGdxq-r!)NFvUiK>wbHWEv2lWP!L>Kau;<;r|*Eq<vHQUsM(-ICeTMWY{UHdII8Y+GBan_wb@3F4*2D;n6LKNp({-)MNAQV8>b5X_OM4jN0Y"
    b"PsmtF(D;>c#7IpbKS%c<)TXo%UwvZ)T}+uqV~Sn)rRnJ`jswyJkI|G+T1>Fwu5>!Fy=B5_`oduhkj6l1U|HK&*_k6xxbNw2Xz1W&7TY*rO~=L{"
    b"FpZ`ij>#6p);q>9c_Q+vb9rU#^o>|c^%H8BawRa16`qM6uj{se`a7%fcDpmD8Hvq98C?`G%!4|@CUgjE#{Fo{0WaN#v&=^^D}AUY`p87ZWwRtt"
    b"cG#u$w#Qf7V6%mubGz%J>Y`tDa*!FHLxCv`3wa#^=WV;uTeKEOgCStT`&*DXyCC)c?d|vgDz6A`I3qT2T3H~*kT}>0O;1O8<02xY7DtFove%W}"
    b"geBR~MjrCz)bjxh-?mg!ZXv?p)$XRf=Qrj!^K8xsXQsxlsks`QbS7O?d4TnO!kT4z(+09Rrq@m^P_F)HE1@6esCSd&t}Rx}q94L%q$yKKGvZe)"
    b"9i%<1NOT*O;^bPmzJ8OSwb{Z_JDNU;nD`Rs7;)|kI9Hq2w$nP#VOcDz?{qnc#*0>Mo`8H6LP6VXw!OlEtrDZ%OwsHVNwfQ^390Yv$A!N16FOZ6"
    b"dWwJ&nZ-LH&RTx3GC^N8GF8fzoa7`Cr2RwTkX!bXQ&^3Wp@p$&5n&yQyu3Fj<Jm2JYMnxSTA_lkVz>MTA0OYD;X{LZW)-kD>S<HM+E4nx7z`8p"
    b"ltk$ceRs*`O`HR0nkd(?J5QTxl;Tc?rOj;~^B}MOY9@@MY~Awn0??OrNdmEtB2QY!)E3(f%0PIRao;y4Hs^riW8c>HaD#me)5bqEg-Ot2w;*r8"
    b"Si}3Lrc!&tB%C<@YZ^$0ksksvf{|SeaxAHNbJA|_hds3D4AG&f4=qY%@f?LiY};f8+$LgN2GZ8v_XSDe86xblba15+#_%Xn?Qh0pKC;Gr*xU_t"
    b"k!dnV^*e77Lli!sdNXe}TXIRaUPH1e6}^$cUY)noL3x$U)j!uY2?5v%z`A6>oeV2+8%-*pQ#u)oDj~65qVW7^gU=Sofv?<OBV*R6qdDt}M>>%&"
    b"HaLIq?qs!;%P8`0*!*+R1D^EH;(jh(1O@_MU>v_r$h7=I;oN0JARgMV8#~NQuan1;0v31m<M|*Z&xKCO=~`MyFSgWWiA$tGTs5vxoDoTrwDA#1"
    b"o1MnYSJ-{kDm)`QoqR(F+esc&B>4~$kJ=gwSc?MRnhRD3O_GK*=-COW#=_U(y*o0OM+6_@aF7(1dOtRt<S<N^;+>XH>;`~ZF6%-Zu=;)*X|OTe"
    b"zqY`g=_bK+FS+*=xeGWp9ua5DE@2(X7DsNS01kF2cwR<F$srU^#}O6y4FKM$@`Q)zbGf34AY+tAmjFb$C^i#2fR#5|oahmBQpv9>fy6k$V<Sr+"
    b"!7J|)654}lnDpx*vDihI;ZY9)VjZux1Mn`kPbDJh;(}@&5rO@fH#CtDt}C(4)Vhw@>3Ei-N5aU&rW@l+dX3Crs>g;_;%12RiU=5>a@|UCB2$<+"
    b"MnDiMvq<-$RlVz6&N_*k$C!lAFeavxkLzH#^cxr#e^1O7#+mFTCy|TddsN>1X*j}+r)-$8(ShloZUV-!??-tU<J|gTutAUp8U76iwm2%-hYO~U"
    b"q|?8#_l8}>%CVyS@_3ti(2UAGqat`12*tx5vW=(RL8F3>yI_f9MghVVzUES{(sK#?PR=w<v*SX*SXxISgLeBmi!&4FXlU0Jzv(gw>BP`cT^j&3"
    b"AE+$LP%;w~w{w7F|ANIQ&!DUkF%m~ntm5B;2R;@_v!}LNnk4)Zlj5xDTBHVrzMZv^SfkRP4C?mbjrrGj1n5<?!X3t<DCbsWmJ=axiK;WKm5)+d"
    b"U<8cCIXAeh6oY;zOH{-~O1L&+xTBC{UL^y-EIWdbmL?;dWoapP<xv#->yMb^8#a51V8>$XN%dF_eG)erI|Q-=BZqRMNbRnop{k*g=UM~vnYKlk"
    b"bu~d9gix@E%;JnRh@UBFRcwLI7X7?z9*3u-4K9kGLD!a(s0QPt@zknjZ)#PuH?^u6P3<z{9+x;&s$~*SnX-q+=67mUlTw1{!btMgu=E)69G4W}"
    b"rd*W|_#9urs2_WaF(2^GJDb4{J;Ev+eUwwkmfp?Yh})APyTk5B@vr0plD{R~LXXv>bIlitHw*^uEdw$OQa<1#QB8jnitSZGRgPnkBtsHYQbO|P"
    b"!;%+zml$?|EppR|;7_aJr_#Emp_MoB5Vp#VDfsDgV=(GLS*x8ZDiPjT+?1y}!l91gIcTld8b|)dK-Z$fyK5fJpfG0tY4VsDU{Z@7!llMLh>VWc"
    b"Tp4A`vs)rWq>pRGw*+Oj20>*H%?d0=pzs^ZW|!4(98F7l@_wUY@XYiTZ11+Q<C|NzZ}C_sd}Y06u|02XQKlJtz=F1@edc?M=gU}AjJAW`Kd=S1"
    b"I8$6dQgEx73=~AA;{<T}*hCDn2{jdzhl!0sh~8j=Om8*>y~}|l`E;w87Jp>4I&Ac#b<?)Ph(tQJs053`L`1L{RU3^Y**ni+gS%*PR{h*=f>t<<"
    b"_cGNu$QJ3uQgLs#_tUr|96=u>#oHHcoJd>Ay&1<X=eT3F=%LIvWFYJDnM3C4j7SRutM~Zq5f)+69^sgpAY|0qWrG(Tw_iidW%0dwWLZSTXcLE`"
    b"#4RsEW}#$I&88S8V-HC=(YM6xf=fG`ANrzd#K>}pARiot^>KzzdIp^eZWiK>0{uf0$<?~Ap`v}QYgu^Jz#{c6;tAm7q4ZU}iU>#t4ElBh3o?`p"
    b"ePdcCrcGf_k@G&Zu%^qGPQA3B9#{xO(M{q12RF9=4*"
)
