import { randomFillSync } from 'node:crypto';
import {
  type AccountId, API_KEY_ALPHABET, API_KEY_PREFIX, API_KEY_RANDOM_LENGTH, type ApiKeyId, ApiKeySecret, type ApiKeySecretGenerator, type Clock,
  type IdGenerator, type Instant, invariant, type PasskeyId, type PersonId, type ProcessId, type RequestId, type ReservationId, type SessionId,
} from '@tollgate/core';
import type { IdentityIdGenerator, MailId } from '@tollgate/identity';

/** The clock and timers of the machine. A scheduled task does not keep the process alive. */
export class SystemClock implements Clock {
  now(): Instant {
    return Date.now() as Instant;
  }

  schedule(delayMilliseconds: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMilliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  }
}

/** Characters of an id after its prefix: 142 bits, so that no two are ever the same. */
const ID_LENGTH = 24;

/** Ids and API keys from a cryptographic random source. */
export class RandomIds implements IdGenerator, ApiKeySecretGenerator, IdentityIdGenerator {
  readonly #random = new RandomCharacters();
  readonly #time = new TimeCharacters();

  accountId(): AccountId {
    return this.#id('acct_') as AccountId;
  }

  apiKeyId(): ApiKeyId {
    return this.#id('key_') as ApiKeyId;
  }

  apiKeySecret(): ApiKeySecret {
    const secret = ApiKeySecret.parse(`${API_KEY_PREFIX}${this.#random.take(API_KEY_RANDOM_LENGTH)}`);
    invariant(secret !== null, 'random letters and digits form a key');
    return secret;
  }

  mailId(): MailId {
    return this.#id('mail_') as MailId;
  }

  passkeyId(): PasskeyId {
    return this.#id('passkey_') as PasskeyId;
  }

  personId(): PersonId {
    return this.#id('person_') as PersonId;
  }

  processId(): ProcessId {
    return this.#id('proc_') as ProcessId;
  }

  requestId(): RequestId {
    return this.#orderedId('req_') as RequestId;
  }

  reservationId(): ReservationId {
    return this.#orderedId('rsv_') as ReservationId;
  }

  sessionId(): SessionId {
    return this.#id('session_') as SessionId;
  }

  responseId(prefix: string): string {
    return this.#orderedId(prefix);
  }

  /**
   * An id that begins with the time. Rows stored with every request then stand side by side in an index,
   * so that a commit writes the last page of the index and not one page for each row. 94 bits of the id are random.
   */
  #orderedId(prefix: string): string {
    return prefix + this.#time.take() + this.#random.take(ID_LENGTH - TIME_CHARACTERS);
  }

  #id(prefix: string): string {
    return prefix + this.#random.take(ID_LENGTH);
  }
}

const ALPHABET_SIZE = API_KEY_ALPHABET.length;
/** Bytes from here on are discarded: they would make the first characters of the alphabet likelier than the others. */
const FIRST_BIASED_BYTE = 256 - (256 % ALPHABET_SIZE);
/** One call of the random source serves about fifty ids; the cost is the call, not the bytes. */
const POOL_BYTES = 2048;

/** Letters and digits from a cryptographic source, each of the 62 equally likely. Used bytes are wiped. */
export class RandomCharacters {
  readonly #pool: Uint8Array;
  #position: number;

  constructor(private readonly fill: (bytes: Uint8Array) => void = (bytes) => void randomFillSync(bytes)) {
    this.#pool = new Uint8Array(POOL_BYTES);
    this.#position = POOL_BYTES;
  }

  take(count: number): string {
    let characters = '';
    while (characters.length < count) {
      const byte = this.#nextByte();
      if (byte < FIRST_BIASED_BYTE) characters += API_KEY_ALPHABET.charAt(byte % ALPHABET_SIZE);
    }
    return characters;
  }

  #nextByte(): number {
    if (this.#position === POOL_BYTES) {
      this.fill(this.#pool);
      this.#position = 0;
    }
    const byte = this.#pool[this.#position] ?? 0;
    this.#pool[this.#position] = 0;
    this.#position += 1;
    return byte;
  }
}

/** In byte order, so that texts of one length sort like the numbers they encode. */
const ORDERED_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Enough for the milliseconds of the next six thousand years. */
export const TIME_CHARACTERS = 8;

function encode(milliseconds: number): string {
  let characters = '';
  for (let rest = milliseconds; characters.length < TIME_CHARACTERS; rest = Math.floor(rest / ORDERED_ALPHABET.length)) {
    characters = ORDERED_ALPHABET.charAt(rest % ORDERED_ALPHABET.length) + characters;
  }
  return characters;
}

/** Encodes the time as letters and digits that sort like the instants. */
export class TimeCharacters {
  #milliseconds = Number.NaN;
  #characters = '';

  constructor(private readonly now: () => number = Date.now) {}

  take(): string {
    const milliseconds = this.now();
    if (milliseconds !== this.#milliseconds) {
      this.#milliseconds = milliseconds;
      this.#characters = encode(milliseconds);
    }
    return this.#characters;
  }
}
