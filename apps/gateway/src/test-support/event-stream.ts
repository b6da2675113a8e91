import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { eventually } from './eventually.js';

/** One event as it arrived. */
export interface StreamedEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: unknown;
}

/** A browser's stream of events, read as it arrives. Close it after the test. */
export class EventStream {
  readonly events: StreamedEvent[] = [];
  comments = 0;
  status = 0;
  hasEnded = false;
  #rest = '';
  readonly #request: ClientRequest;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#request = request(url, { headers }, (response) => this.#read(response));
    this.#request.on('error', () => {
      this.hasEnded = true;
    }).end();
  }

  /** Resolves once so many events of a name have arrived, with them. */
  async of(event: string, least = 1): Promise<readonly StreamedEvent[]> {
    const ofName = (): readonly StreamedEvent[] => this.events.filter((each) => each.event === event);
    await eventually(() => ofName().length >= least);
    return ofName();
  }

  /** Resolves once the gateway has ended the stream. */
  async ended(): Promise<void> {
    await eventually(() => this.hasEnded);
  }

  close(): void {
    this.#request.destroy();
  }

  #read(response: IncomingMessage): void {
    this.status = response.statusCode ?? 0;
    response.setEncoding('utf8').on('error', () => undefined).on('close', () => {
      this.hasEnded = true;
    }).on('data', (text: string) => {
      const parts = `${this.#rest}${text}`.split('\n\n');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) this.#take(part);
    });
  }

  #take(part: string): void {
    if (part.startsWith(':')) {
      this.comments += 1;
      return;
    }
    const field = (name: string): string | null => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? null;
    this.events.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(field('data') ?? 'null') });
  }
}
