import type { SeededChoice } from './corpus.js';

const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const CAPITALS = SMALL.toUpperCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const BASE64 = `${CAPITALS}${SMALL}${DIGITS}+/`;
const EMOJI = Array.from('😀😂🥲😍🙏👍👏🔥🎉🚀✨💡📦🐛✅❌⚠️🌍🍕🐈🏠🎸🧪🪴🇮🇹👩‍💻🤷🏽');
const SYMBOLS = Array.from('≤≥≠≈∑∏∫√∞∂∇∈∉⊂∪∩∀∃→←↔⇒±×÷°αβγλπσΩ');
const WORDS = [
  'invoice', 'harbour', 'pending', 'blue', 'customer', 'Lisbon', 'retry', 'payment', 'green', 'north', 'shipment', 'approved', 'draft', 'Osaka',
  'teacher', 'window', 'credit', 'sensor', 'summer', 'report', 'oak', 'refund', 'Nairobi', 'stable', 'monthly',
];

function uuid(random: SeededChoice): string {
  return [8, 4, 4, 4, 12].map((length) => random.text(length, HEX)).join('-');
}

function instant(random: SeededChoice): string {
  const two = (least: number, most: number): string => String(random.between(least, most)).padStart(2, '0');
  return `20${two(18, 26)}-${two(1, 12)}-${two(1, 28)}T${two(0, 23)}:${two(0, 59)}:${two(0, 59)}.${random.text(3, DIGITS)}Z`;
}

function words(random: SeededChoice, count: number, between = ' '): string {
  return random.times(count, () => random.of(WORDS)).join(between);
}

function thing(random: SeededChoice): object {
  return {
    id: uuid(random), name: words(random, 2), amount: random.between(1, 99_999) / 100, active: random.share() < 0.5, created_at: instant(random),
    tags: random.times(random.between(0, 3), () => random.of(WORDS)), parent: null, position: { lat: random.share() * 90, lng: -random.share() * 180 },
  };
}

function things(random: SeededChoice): readonly object[] {
  return random.times(random.between(2, 5), () => thing(random));
}

function logLine(random: SeededChoice): string {
  const level = random.of(['INFO ', 'WARN ', 'ERROR', 'DEBUG']);
  return `${instant(random)} ${level} [${random.of(WORDS)}-${random.between(1, 16)}] ${words(random, 4)} request=${random.text(16, HEX)} took ${random.between(1, 4000)}ms`;
}

function accessLine(random: SeededChoice): string {
  const address = random.times(4, () => random.between(1, 254)).join('.');
  return `${address} - - [${random.between(1, 28)}/Mar/2025:14:22:0${random.between(0, 9)} +0000] "GET /${words(random, 2, '/')}?page=${random.between(1, 40)} HTTP/1.1" ${random.of([200, 304, 404, 502])} ${random.between(100, 90_000)}`;
}

function minified(random: SeededChoice): string {
  const name = (): string => random.of(SMALL);
  return random.times(12, () => {
    const [a, b, c] = [name(), name(), name()];
    return `function ${a}(${b},${c}){return ${b}.${random.of(WORDS)}?(${c}=${a}(${b}[${random.between(0, 9)}],!${random.between(0, 1)}),${c}&&${c}.push({k:${b},v:${c}})):void 0}`;
  }).join('');
}

function table(random: SeededChoice): string {
  const row = (): string => `| ${words(random, 2)} | ${random.between(1, 5000)} | ${(random.share() * 100).toFixed(1)} % | ${random.of(['yes', 'no', '—'])} |`;
  return ['| Item | Count | Share | Done |', '|---|---:|---:|:--|', ...random.times(10, row)].join('\n');
}

/** Machine-written text by kind. */
export const GENERATED_KINDS: Readonly<Record<string, (random: SeededChoice) => string>> = {
  'json, indented': (random) => JSON.stringify(things(random), null, 2),
  'json, compact': (random) => JSON.stringify(things(random)),
  'json in a string': (random) => JSON.stringify({ role: 'user', content: JSON.stringify(things(random)) }),
  'base64': (random) => random.text(600, BASE64),
  'base64 in lines': (random) => random.times(8, () => random.text(76, BASE64)).join('\n'),
  'hex': (random) => random.times(10, () => random.text(64, HEX)).join('\n'),
  'hex, capitals': (random) => random.times(60, () => random.text(2, HEX).toUpperCase()).join(' '),
  'uuids': (random) => random.times(15, () => uuid(random)).join('\n'),
  'minified code': minified,
  'markdown table': table,
  'emoji': (random) => random.text(random.between(60, 200), EMOJI),
  'emoji among words': (random) => random.times(30, () => `${words(random, 3)} ${random.of(EMOJI)}`).join(' '),
  'random small letters': (random) => random.text(500, SMALL),
  'random capitals': (random) => random.text(500, CAPITALS),
  'random words': (random) => random.times(80, () => random.text(random.between(3, 9), SMALL)).join(' '),
  'digits': (random) => random.text(500, DIGITS),
  'numbers': (random) => random.times(20, () => random.times(6, () => (random.share() * 1000).toFixed(random.between(0, 5))).join(' ')).join('\n'),
  'comma-separated values': (random) => random.times(20, (row) => `${row + 1},${words(random, 1)},${random.between(1, 9999)},${instant(random)},${random.share().toFixed(4)}`).join('\n'),
  'log': (random) => random.times(10, () => logLine(random)).join('\n'),
  'access log': (random) => random.times(10, () => accessLine(random)).join('\n'),
  'addresses': (random) => random.times(10, () => `https://${words(random, 2, '.')}.example.com/${random.text(8, HEX)}/${words(random, 2, '-')}?ref=${random.text(6, BASE64)}`).join('\n'),
  'web tokens': (random) => `eyJ${random.text(33, BASE64)}.eyJ${random.text(180, BASE64)}.${random.text(43, BASE64)}`,
  'symbols': (random) => random.times(60, () => `${random.of(SMALL)} ${random.of(SYMBOLS)} ${random.of(SMALL)}`).join(', '),
  'a drawn tree': (random) => random.times(20, () => `${'│   '.repeat(random.between(0, 3))}${random.of(['├── ', '└── '])}${words(random, 1)}.${random.of(['ts', 'md', 'json'])}`).join('\n'),
  'SQL inserts': (random) => random.times(8, () => `INSERT INTO ${random.of(WORDS)} VALUES (${random.between(1, 99_999)}, '${words(random, 2)}', '${instant(random)}', NULL);`).join('\n'),
  'identifiers': (random) => random.times(50, () => random.of([words(random, 3, '_').toUpperCase(), words(random, 2, '_'), random.times(3, () => random.of(WORDS)).map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')])).join('\n'),
};
