/** RFC 5321, section 4.5.3.1.3. */
const MAX_ADDRESS_CHARACTERS = 254;
/** Dot-string of RFC 5321, section 4.1.2; quoted local parts are refused. */
const LOCAL_PART = /^(?=.{1,64}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** RFC 1123: at most 63 letters, digits and inner hyphens. */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;
/** Label of an internationalized domain name. */
const INTERNATIONAL_LABEL = /^[\p{L}\p{M}\p{N}-]{1,63}$/u;

/** Punycode (RFC 3492, section 5). */
const [BASE, TMIN, TMAX, SKEW, DAMP, INITIAL_BIAS, INITIAL_N] = [36, 1, 26, 38, 700, 72, 128];

function adapted(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let bias = 0;
  for (; rest > ((BASE - TMIN) * TMAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - TMIN));
  return bias + Math.floor(((BASE - TMIN + 1) * rest) / (rest + SKEW));
}

/** Variable-length integer (RFC 3492, section 6.3). */
function digitsOf(delta: number, bias: number): string {
  let [text, rest] = ['', delta];
  for (let k = BASE; ; k += BASE) {
    const threshold = Math.min(TMAX, Math.max(TMIN, k - bias));
    if (rest < threshold) return text + rest.toString(BASE).replaceAll(/./g, toDigit);
    const over = BASE - threshold;
    text += (threshold + ((rest - threshold) % over)).toString(BASE).replaceAll(/./g, toDigit);
    rest = Math.floor((rest - threshold) / over);
  }
}

/** Letters stand for 0 to 25, digits for 26 to 35. */
function toDigit(digit: string): string {
  const value = Number.parseInt(digit, BASE);
  return value < TMAX ? String.fromCharCode('a'.charCodeAt(0) + value) : String(value - TMAX);
}

/** RFC 3492, for at most 63 characters. */
function punycodeOf(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < INITIAL_N);
  const state = { text: String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : ''), delta: 0, bias: INITIAL_BIAS, handled: basic.length };
  let before = INITIAL_N - 1;
  for (const next of [...new Set(points)].filter((point) => point >= INITIAL_N).toSorted((one, other) => one - other)) {
    state.delta += (next - before - 1) * (state.handled + 1) + (before === INITIAL_N - 1 ? 0 : 1);
    for (const point of points) insert(state, { point, next, isFirst: state.handled === basic.length });
    before = next;
  }
  return state.text;
}

interface Encoding {
  text: string;
  delta: number;
  bias: number;
  handled: number;
}

/** One step of RFC 3492, section 6.3. */
function insert(state: Encoding, { point, next, isFirst }: { readonly point: number; readonly next: number; readonly isFirst: boolean }): void {
  if (point < next) state.delta += 1;
  if (point !== next) return;
  state.text += digitsOf(state.delta, state.bias);
  state.bias = adapted(state.delta, state.handled + 1, isFirst);
  state.delta = 0;
  state.handled += 1;
}

/** The address with its domain in ASCII; unchanged if the domain is invalid. */
function withAsciiDomain(email: string): string {
  if (ASCII.test(email) || email.length > MAX_ADDRESS_CHARACTERS) return email;
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).normalize('NFKC').toLowerCase().split('.');
  if (at < 1 || !labels.every((label) => INTERNATIONAL_LABEL.test(label))) return email;
  return `${email.slice(0, at)}@${labels.map((label) => (ASCII.test(label) ? label : `xn--${punycodeOf(label)}`)).join('.')}`;
}

/** True for one address without display name, quotes or comments. The local part must be ASCII; the domain may be internationalized. */
export function isMailAddress(text: string): boolean {
  const address = withAsciiDomain(text);
  const at = address.lastIndexOf('@');
  return address.length <= MAX_ADDRESS_CHARACTERS && LOCAL_PART.test(address.slice(0, Math.max(0, at))) && address.slice(at + 1).split('.').every((label) => LABEL.test(label));
}

/** Lower case with an ASCII domain, equal for all spellings of an address. */
export function foldEmail(email: string): string {
  return withAsciiDomain(email).toLowerCase();
}
