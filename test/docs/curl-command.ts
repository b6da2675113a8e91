import { codeBlock, type Document } from './documents.js';

/** The address in the pages; tests replace it by that of their gateway. */
export const ADDRESS = 'http://127.0.0.1:8080';

export interface CurlRequest {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string };
}

/** The words of a command, as a POSIX shell reads quotes, line continuations and variables. */
function shellWords(command: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/gu, (_, literal?: string, quoted?: string, bare?: string) => {
    if (literal !== undefined) return literal;
    return (quoted ?? bare ?? '').replaceAll(/\$(\w+)/gu, (_name, name: string) => variables[name] ?? '');
  }));
}

/** Reads a curl command without running curl. Throws for an option that it does not know, because half a command proves nothing. */
export function readCurl(command: string, variables: Readonly<Record<string, string>>): CurlRequest {
  const [program, ...words] = shellWords(command, variables);
  if (program !== 'curl') throw new Error(`not a curl command: ${command}`);
  const headers: Record<string, string> = {};
  let url: string | null = null;
  let body: string | null = null;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-N' || word === '-s') continue;
    if (word === '-H') {
      const [name = '', ...value] = (words.shift() ?? '').split(':');
      headers[name.toLowerCase()] = value.join(':').trim();
    } else if (word === '--json') {
      body = words.shift() ?? '';
      headers['content-type'] = 'application/json';
    } else if (word === '-d') body = words.shift() ?? '';
    else if (word.startsWith('-')) throw new Error(`${word} is an option of curl that this test does not know`);
    else url = word;
  }
  if (url === null) throw new Error(`no address in: ${command}`);
  // curl's default type for a body.
  if (body !== null) headers['content-type'] ??= 'application/x-www-form-urlencoded';
  return { url, init: { method: body === null ? 'GET' : 'POST', headers, ...(body === null ? {} : { body }) } };
}

/** A code block in which `url` replaces the documented address. Throws if the block does not contain that address. */
export function pastedBlock(document: Document, mark: string, url: string): string {
  const code = codeBlock(document, mark);
  if (!code.includes(ADDRESS)) throw new Error(`${document.path}: the block ${mark} does not call ${ADDRESS}`);
  return code.replaceAll(ADDRESS, url);
}

export function runCurl(document: Document, mark: string, gateway: { readonly url: string; readonly key: string }): Promise<Response> {
  const { url, init } = readCurl(pastedBlock(document, mark, gateway.url), { KEY: gateway.key });
  return fetch(url, init);
}
