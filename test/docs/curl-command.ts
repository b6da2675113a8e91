import { codeBlock, type Document } from './documents.js';

/** The address that the pages name; tests replace it by that of their gateway. */
export const ADDRESS = 'http://127.0.0.1:8080';

/** What a `curl` command of these pages asks for. */
interface CurlRequest {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string };
}

/** The words of a command line as a POSIX shell would make them: quotes, escapes at line ends, variables. */
function shellWords(command: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/gu, (_, literal?: string, quoted?: string, bare?: string) => {
    if (literal !== undefined) return literal;
    return (quoted ?? bare ?? '').replaceAll(/\$(\w+)/gu, (_name, name: string) => variables[name] ?? '');
  }));
}

/**
 * Reads a `curl` command, so that what a reader pastes can be run where no curl is.
 * Throws for an option it does not know, since a command that is half understood proves nothing.
 */
function readCurl(command: string, variables: Readonly<Record<string, string>>): CurlRequest {
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
    } else if (word === '-d') body = words.shift() ?? '';
    else if (word.startsWith('-')) throw new Error(`curl's option ${word} is not understood here`);
    else url = word;
  }
  if (url === null) throw new Error(`no address in: ${command}`);
  // curl sends a form's type unless it is told another.
  if (body !== null) headers['content-type'] ??= 'application/x-www-form-urlencoded';
  return { url, init: { method: body === null ? 'GET' : 'POST', headers, ...(body === null ? {} : { body }) } };
}

/** A block of a page as its reader pastes it, but with the address of a gateway of the test. */
export function pastedBlock(document: Document, mark: string, url: string): string {
  const code = codeBlock(document, mark);
  if (!code.includes(ADDRESS)) throw new Error(`${document.path}: the block ${mark} does not call ${ADDRESS}`);
  return code.replaceAll(ADDRESS, url);
}

/** Sends the request of a `curl` command of a page. */
export function runCurl(document: Document, mark: string, gateway: { readonly url: string; readonly key: string }): Promise<Response> {
  const { url, init } = readCurl(pastedBlock(document, mark, gateway.url), { KEY: gateway.key });
  return fetch(url, init);
}
