import { createHmac, randomBytes } from 'node:crypto';

/** The position of a sealed piece of reasoning in its reply. */
export interface SealedPlace {
  /** The number of the reply among all replies of the server. */
  readonly reply: number;
  readonly index: number;
  /** How many pieces of reasoning the reply has. */
  readonly count: number;
  /** The item before or after the piece, as the format identifies it. Empty if it does not matter. */
  readonly neighbour: string;
}

/** Signs reasoning as a vendor does. Recognises changed text, a changed order, and seals of other servers. */
export class VendorSeals {
  readonly #secret = randomBytes(32);
  #replies = 0;

  nextReply(): number {
    this.#replies += 1;
    return this.#replies;
  }

  seal(text: string, place: SealedPlace): string {
    const head = Buffer.from(JSON.stringify(place)).toString('base64url');
    return `${head}.${this.#digest(head, text)}`;
  }

  /** The place of a piece of reasoning, or `null` unless this server sealed exactly this text. */
  open(seal: string, text: string): SealedPlace | null {
    const [head = '', digest] = seal.split('.');
    if (digest !== this.#digest(head, text)) return null;
    return JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as SealedPlace;
  }

  #digest(head: string, text: string): string {
    return createHmac('sha256', this.#secret).update(`${head}\n${text}`).digest('base64url');
  }
}
