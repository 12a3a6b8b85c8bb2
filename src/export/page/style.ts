// The style of the report page: quiet, narrow enough to read, with the same figures in dark mode, on a phone and on paper.
// Colour never carries meaning alone. One text, because the page's content security policy allows it by its digest.

const COLOURS = `
:root{color-scheme:light dark;--paper:#fafaf8;--card:#fff;--ink:#16191d;--soft:#59606b;--line:#dfe1e6;--link:#134b8f;
--bad:#a3211a;--bad-tint:#fdf1ef;--bad-edge:#e9b8b2;--warn:#7a4a00;--warn-tint:#fff7e6;--warn-edge:#e5c98e;
--good:#17633f;--good-tint:#eff8f3;--good-edge:#a9d3bd;--unsure:#4b4487;--unsure-tint:#f3f2fb;--unsure-edge:#c3bfe6;
--day:#5f8f7c;--flow:#2f6fb3;--flow-out:#c07a2c;--fill:#e3ecf6;--k0:#22507f;--k1:#c07a2c;--k2:#7ea6a0;--k3:#8d8f99}
@media (prefers-color-scheme:dark){:root{--paper:#0f1114;--card:#16191e;--ink:#e9ebee;--soft:#a4abb6;--line:#2b3038;--link:#8fbcf5;
--bad:#ff9d92;--bad-tint:#291513;--bad-edge:#6b2f29;--warn:#f1c46b;--warn-tint:#261d0c;--warn-edge:#66501f;
--good:#84d3a9;--good-tint:#10231a;--good-edge:#2c5b43;--unsure:#bab3f2;--unsure-tint:#1b1930;--unsure-edge:#4a4580;
--day:#4e8a72;--flow:#6ea8e6;--flow-out:#e0a35c;--fill:#1b2a3c;--k0:#6ea8e6;--k1:#e0a35c;--k2:#8fb8b2;--k3:#8d929d}}
`;

const LAYOUT = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums lining-nums}
.cover,main,footer{max-width:1080px;margin:0 auto;padding:0 24px}
.cover{padding-top:44px}
.over{margin:0;color:var(--soft);font-size:.875rem;letter-spacing:.01em}
h1{margin:2px 0 18px;font-size:2.5rem;line-height:1.1;font-weight:650;letter-spacing:-.025em}h1::first-letter{text-transform:uppercase}
h2{margin:0 0 8px;font-size:1.375rem;line-height:1.25;font-weight:640;letter-spacing:-.015em}
h3{margin:32px 0 10px;font-size:1.0625rem;font-weight:640}
h4,.break h3{margin:0;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
p{margin:0 0 12px;max-width:72ch}
a{color:var(--link);text-underline-offset:2px;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
code{font:.8125rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.skip{position:absolute;left:-9999px}.skip:focus{left:16px;top:12px;background:var(--card);padding:8px 12px}
.cover dl{display:flex;flex-wrap:wrap;gap:10px 36px;margin:0 0 28px;padding-top:16px;border-top:1px solid var(--line)}
dt{color:var(--soft);font-size:.8125rem}dd{margin:0;overflow-wrap:anywhere}
.cover dd{font-size:.9375rem}
.none{color:var(--soft)}
section{margin:0 0 56px;scroll-margin-top:16px}
.lead{color:var(--soft)}
.more{color:var(--soft);font-style:italic}
nav{margin-top:8px}.cover+main>nav ul{margin-top:0}nav ul{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:-24px 0 44px;padding:0 0 14px;border-bottom:1px solid var(--line);font-size:.9375rem}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}
footer{padding-top:16px;padding-bottom:44px;color:var(--soft);font-size:.875rem}
.n i{font-style:normal;margin-left:.18em}
.code{font-weight:600}.whose{color:var(--soft);font-weight:400;font-size:.875rem}
`;

const VERDICT = `
.verdict{--tone:var(--good);--tint:var(--good-tint);--edge:var(--good-edge);background:var(--tint);border:1px solid var(--edge);border-radius:14px;padding:26px 28px 24px}
.verdict.broken{--tone:var(--bad);--tint:var(--bad-tint);--edge:var(--bad-edge)}
.verdict.waived{--tone:var(--warn);--tint:var(--warn-tint);--edge:var(--warn-edge)}
.verdict.unproved{--tone:var(--unsure);--tint:var(--unsure-tint);--edge:var(--unsure-edge)}
.verdict h2{color:var(--tone);font-size:1.75rem;letter-spacing:-.02em}
.sign{font-size:.8em;margin-right:.15em}
.sentences{margin:12px 0 20px;padding:0;list-style:none;max-width:76ch}.sentences li{margin:0 0 6px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:10px;list-style:none;margin:0;padding:0}
.tiles a{display:block;height:100%;padding:12px 14px;border:1px solid var(--edge);border-radius:10px;background:var(--card);color:inherit;text-decoration:none}
.tiles a:hover{border-color:var(--tone)}
.tiles b{display:block;font-size:1.375rem;line-height:1.2;font-weight:620;letter-spacing:-.01em}
.tiles span{color:var(--soft);font-size:.8125rem}
.tiles .bad b{color:var(--bad)}.tiles .warn b{color:var(--warn)}
`;

const BREAKS = `
.break{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:10px;padding:16px 20px;margin:0 0 14px;scroll-margin-top:16px}
.break.waived{border-left-color:var(--warn);border-left-style:double}
.break:target{outline:2px solid var(--link)}
.break header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px;margin-bottom:10px}
.tags{margin:0;display:flex;flex-wrap:wrap;gap:6px}
.tag{display:inline-block;padding:1px 9px;border:1px solid var(--line);border-radius:99px;font-size:.8125rem;font-weight:500;white-space:nowrap;color:var(--ink);text-decoration:none}
.tag.open,.tag.late{color:var(--bad);border-color:var(--bad-edge);background:var(--bad-tint)}
.tag.waived{color:var(--warn);border-color:var(--warn-edge);background:var(--warn-tint)}
.late{color:var(--bad)}
.break dl{display:flex;flex-wrap:wrap;margin:0 0 10px}
.figures{gap:6px 40px}.figures dd{font-size:1.125rem;font-weight:500}
.figures .difference dd{font-weight:680;color:var(--bad)}.waived .figures .difference dd{color:var(--warn)}
.facts{gap:6px 28px}.facts dd{font-size:.875rem}
.reason{margin:0 0 8px;overflow-wrap:anywhere}.waiver{margin:0 0 8px;overflow-wrap:anywhere}
.sources{display:flex;flex-wrap:wrap;gap:4px 24px;font-size:.875rem;align-items:baseline}
.sources details[open]{flex-basis:100%}
.short{padding-left:20px}
summary{cursor:pointer;color:var(--link);font-size:.875rem;width:fit-content}
details code{display:block;margin:6px 0;padding:8px 12px;background:var(--paper);border:1px solid var(--line);border-radius:6px}
`;

const CHARTS = `
svg{display:block;width:100%;height:auto}
.legend{display:flex;flex-wrap:wrap;gap:4px 22px;list-style:none;margin:0 0 14px;padding:0;font-size:.875rem}
.legend li::before{content:"";display:inline-block;width:13px;height:13px;margin-right:7px;vertical-align:-1.5px;border-radius:2px;background:var(--day)}
.legend .gap::before{content:"\\00d7";background:var(--bad);color:var(--card);font:bold 13px/13px sans-serif;text-align:center;vertical-align:0}
.legend .not-read::before{background:none;border:1.5px dashed var(--soft)}
.legend .in::before{background:var(--flow)}.legend .out::before{background:var(--flow-out)}
.legend .kind-0::before{background:var(--k0)}.legend .kind-1::before{background:var(--k1)}.legend .kind-2::before{background:var(--k2)}.legend .kind-3::before{background:var(--k3)}
.calendar{margin:0 0 20px;padding:14px 18px;background:var(--card);border:1px solid var(--line);border-radius:10px}
.row{display:grid;grid-template-columns:262px minmax(0,1fr);gap:2px 18px;align-items:center;margin:0 0 10px}.row:last-child{margin:0}
.row p{margin:0;font-size:.875rem;line-height:1.35;overflow-wrap:anywhere}.row .whose{display:block;font-size:.6875rem}.calendar h3{margin:18px 0 8px;font-size:.875rem;overflow-wrap:anywhere}.axis-row+h3{margin-top:0}
.row svg{max-width:760px}
.mark{display:inline-block;font-size:.8125rem;color:var(--soft)}.mark.gap{color:var(--bad);font-weight:600}.mark.not-read{color:var(--unsure);font-weight:600}
.axis-row{margin-bottom:4px}.axis-row div{display:flex;justify-content:space-between;max-width:760px;color:var(--soft);font-size:.8125rem}
.proved{fill:var(--day)}.gap{fill:var(--bad)}.cross{stroke:var(--card);stroke-width:2.4;fill:none}.not-read{fill:none;stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 2}
.multiples{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:14px;margin:0 0 22px}
figure{margin:0;padding:14px 16px 10px;background:var(--card);border:1px solid var(--line);border-radius:10px;min-width:0}
figure.wide{max-width:640px;margin-bottom:12px}
figcaption{margin:0 0 8px;overflow-wrap:anywhere}.big,.pair{display:block;font-size:1.0625rem;font-weight:550}.pair{font-weight:450;font-size:.875rem}.statement{margin:10px 0 6px;font-size:.8125rem}.statement div{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 12px;padding:2px 0}.statement dt{font-size:inherit}.statement dd{margin-left:auto;text-align:right}.statement .closing{border-top:1px solid var(--line);margin-top:3px;padding-top:4px;font-weight:600}
.span{display:flex;justify-content:space-between;margin:2px 0 0;color:var(--soft);font-size:.75rem}
.line{fill:none;stroke:var(--flow);stroke-width:1.8;stroke-linejoin:round}.fill{fill:var(--fill)}.dot,.in,.bar{fill:var(--flow)}.out{fill:var(--flow-out)}
.axis{stroke:var(--soft);stroke-width:.8}
.kind-0{fill:var(--k0)}.kind-1{fill:var(--k1)}.kind-2{fill:var(--k2)}.kind-3{fill:var(--k3)}
svg text{fill:var(--ink);font-size:14px}svg .end{text-anchor:end}svg .tick{text-anchor:middle;font-size:11px;fill:var(--soft)}
`;

const MONEY = `
.heads{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:10px;margin:0 0 18px}
.heads div{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 18px}
.heads dd{display:flex;flex-direction:column}.heads b{font-size:1.5rem;line-height:1.3;font-weight:640;letter-spacing:-.015em}.heads dd>span{color:var(--soft);font-size:.8125rem}
.standing{margin:0 0 16px;font-weight:560}.standing a{display:inline-block;padding:5px 14px;border:1px solid var(--good-edge);border-radius:99px;text-decoration:none;color:var(--good);background:var(--good-tint)}
.standing.broken a{color:var(--bad);border-color:var(--bad-edge);background:var(--bad-tint)}.standing.waived a{color:var(--warn);border-color:var(--warn-edge);background:var(--warn-tint)}
.standing.unproved a{color:var(--unsure);border-color:var(--unsure-edge);background:var(--unsure-tint)}
.notes{margin:0 0 16px;padding-left:20px;color:var(--warn)}
.bars{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:0 0 12px;padding:8px 0 10px}
.bars table{font-size:.9375rem}.bars th,.bars td{border:0;padding:3px 16px;vertical-align:middle}.bars caption{padding:4px 16px 6px;color:var(--ink);font-weight:560;font-size:.9375rem}
.bars tbody th{white-space:normal;font-weight:450;width:24%;overflow-wrap:break-word;hyphens:auto}.bars .name{overflow-wrap:anywhere}.bars .quantity{width:1%}.pair-of .bars tbody th{width:30%}#parties .bars tbody th{width:54%;font-size:.875rem}
.bars .bar-cell{padding:0;min-width:40px}.bars .total th,.bars .total td{font-weight:640}.bars .bad th,.bars .bad .quantity{color:var(--bad)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.strip{height:18px;width:100%}.strip .plain,.strip .up{fill:var(--flow)}.strip .down{fill:var(--flow-out)}.strip .bad{fill:var(--bad)}.strip .total{fill:var(--k3)}.strip .zero{fill:var(--soft)}
.pair-of{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:0 14px;align-items:start}
.rates{display:flex;flex-wrap:wrap;gap:8px 36px;margin:0 0 14px}.rates dd{font-weight:560}
.realised{fill:var(--flow)}.unrealised{fill:var(--day)}
#appendix pre{overflow:auto;max-height:420px;margin:8px 0;padding:12px 14px;background:var(--card);border:1px solid var(--line);border-radius:6px}#appendix pre code{display:inline;border:0;padding:0;background:none;white-space:pre}
.note{color:var(--soft);font-style:italic}
`;

const TABLES = `
.scroll{overflow-x:auto;margin:0 0 14px;background:var(--card);border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:.875rem}
caption{text-align:left;padding:12px 16px;color:var(--soft);font-size:.875rem}
th,td{padding:6px 16px;text-align:left;border-top:1px solid var(--line);vertical-align:baseline;white-space:nowrap;font-weight:400}
thead th{color:var(--soft);font-size:.8125rem}
tbody th{font-weight:560}
.quantity,.count{text-align:right}td.text,th.text{white-space:normal;overflow-wrap:break-word;min-width:11ch}td.text .name,th.text .name{overflow-wrap:anywhere;hyphens:auto}tbody th.text:has(.name){min-width:26ch}figure table{font-size:.8125rem}figure th,figure td{padding:3px 10px}figure caption{padding:8px 10px}figure .scroll{max-height:340px;overflow:auto}
[data-f]::after{content:attr(data-f);visibility:hidden}
details .scroll{margin-top:10px}
`;

const SMALL = `
@media (max-width:720px){body{font-size:15px}.cover,main,footer{padding-left:16px;padding-right:16px}.cover{padding-top:26px}h1{font-size:2rem}
.verdict{padding:20px 18px}.verdict h2{font-size:1.375rem}.row{grid-template-columns:1fr}.axis-row>span{display:none}
.tiles{grid-template-columns:1fr 1fr}.break{padding:14px 16px}.figures div{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 12px;width:100%}.figures dd{margin-left:auto;text-align:right;font-size:.875rem}td.text{min-width:19ch}tbody th.text:has(.name){min-width:18ch;font-size:.8125rem;font-weight:500}caption span{display:inline-block;position:sticky;left:12px;max-width:calc(100vw - 60px)}figure th.text{min-width:11ch}.multiples{grid-template-columns:1fr}th,td{padding:6px 12px}.heads{grid-template-columns:1fr 1fr}.heads div{padding:10px 12px}.heads b{font-size:1.0625rem}.bars table{font-size:.8125rem}.bars th,.bars td{padding:3px 10px}.bars tbody th,.pair-of .bars tbody th{width:34%}.bars .bar-cell{min-width:20px}#parties .bars tbody th{width:50%;font-size:inherit}}
@media (max-width:360px){.bars table{font-size:.75rem}.bars th,.bars td{padding:3px 6px}}
`;

const PRINT = `
@media print{:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--link:#000}
@page{size:A4;margin:16mm 14mm}
body{font-size:10pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}.cover,main,footer{max-width:none;padding:0}nav,.skip,main details{display:none}.sources details{display:block}
section{margin-bottom:26px}section:last-child{margin-bottom:8px}h2,h3,caption,thead{break-after:avoid}p{break-inside:avoid}tbody tr:nth-child(-n+2){break-before:avoid}.break,figure,.row,.rates,tr,.verdict{break-inside:avoid}thead{display:table-header-group}
.scroll{overflow:visible;border:0}th,td{padding:3px 8px}.lead,.legend{break-after:avoid}.tiles{grid-template-columns:repeat(6,1fr)}.tiles a{padding:6px 8px}.tiles b{font-size:1.125rem;white-space:nowrap}.multiples{grid-template-columns:1fr 1fr}.heads{grid-template-columns:repeat(3,1fr)}.bars{break-inside:avoid}.bars table{font-size:9pt}
.sources details::details-content{content-visibility:visible;display:block;block-size:auto;opacity:1}
main a[href]:not([href^="#"],.file)::after{content:" (" attr(href) ")";font-size:.85em}td a[href]::after,th a[href]::after,.tiles a::after{content:none!important}}
`;

export const PAGE_STYLE = [COLOURS, LAYOUT, VERDICT, BREAKS, CHARTS, TABLES, MONEY, SMALL, PRINT].join('');
