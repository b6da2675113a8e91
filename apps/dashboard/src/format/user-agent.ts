type Named = readonly [pattern: RegExp, name: string];

/** The order matters: the user agent of a browser also names browsers that it is compatible with. */
const BROWSERS: readonly Named[] = [
  [/\bEdgA?\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'], [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'], [/\bSafari\//, 'Safari'], [/^curl\//, 'curl'],
];
const SYSTEMS: readonly Named[] = [
  [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bAndroid\b/, 'Android'], [/\bCrOS\b/, 'ChromeOS'], [/\bWindows\b/, 'Windows'], [/\bMac OS X\b/, 'macOS'], [/\bLinux\b/, 'Linux'],
];

function firstOf(named: readonly Named[], text: string): string | null {
  return named.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** For example `Firefox on Linux`, or the one of the two that is known; `null` if neither is. */
export function browserOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const [browser, system] = [firstOf(BROWSERS, userAgent), firstOf(SYSTEMS, userAgent)];
  return browser !== null && system !== null ? `${browser} on ${system}` : browser ?? system;
}
