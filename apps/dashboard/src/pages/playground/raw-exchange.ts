import type { RawExchange } from './conversation';

/** Longer requests and replies are cut. Enough for some thousand tokens in any format. */
export const MAX_RAW_CHARACTERS = 500_000;
const INDENT = 2;

/** Long texts of a request, such as pictures, are cut. */
const MAX_TEXT_CHARACTERS = 20_000;

/** The formatted request. It contains no key: the gateway adds it. */
export function rawRequest(body: unknown): string {
  return JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' && value.length > MAX_TEXT_CHARACTERS ? `${value.slice(0, MAX_TEXT_CHARACTERS)}…` : value), INDENT).slice(0, MAX_RAW_CHARACTERS);
}

/** Collects the events of a reply. */
export class RawReply {
  readonly #events: string[] = [];
  #length = 0;
  #isCut = false;

  constructor(private readonly request: string, private readonly status: number) {}

  add(data: string): void {
    this.#isCut ||= this.#length + data.length > MAX_RAW_CHARACTERS;
    if (this.#isCut) return;
    this.#length += data.length;
    this.#events.push(`data: ${data}`);
  }

  exchange(): RawExchange {
    return { request: this.request, status: this.status, reply: this.#events.join('\n\n'), isCut: this.#isCut };
  }
}
