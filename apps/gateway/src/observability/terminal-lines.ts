import { printable, printableLines } from '@tollgate/core';

type Facts = Readonly<Record<string, unknown>>;

/** Makes strings printable; only a stack keeps its line breaks. */
function shown(name: string, value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'string') return value;
  return name === 'stack' ? printableLines(value) : printable(value);
}

/** States the common facts of a request in words, and keeps the others by name. */
function inWords(facts: Facts): Facts {
  const { method, path, status, durationMilliseconds, clientLeft, msg, requestId, keyId, accountId, ...rest } = facts;
  if (msg !== 'request') return facts;
  const left = clientLeft === true ? ', the client disconnected' : '';
  const words = `${String(method)} ${String(path)} ${String(status)} in ${String(durationMilliseconds)} ms${left}`;
  return { ...rest, requestId, keyId, accountId, msg: words };
}

/** Formats JSON lines for people. The library is loaded only when it is needed. */
export async function terminalLines(): Promise<(line: string) => string> {
  const { default: pretty } = await import('pino-pretty');
  const show = pretty.prettyFactory({ colorize: pretty.isColorSupported, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  return (line) => show(inWords(JSON.parse(line, shown) as Facts));
}
