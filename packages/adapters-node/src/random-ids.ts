import {
  API_KEY_PREFIX, API_KEY_RANDOM_LENGTH, type AccountId, type ApiKeyId, ApiKeySecret, type IdGenerator, type MailId, type PasskeyId, type PersonId, type ProcessId,
  type RequestId, type ReservationId, type SessionId, invariant,
} from '@tollgate/core';
import { RandomCharacters } from './random-characters.js';
import { TIME_CHARACTERS, TimeCharacters } from './time-characters.js';

/** Characters of an id after its prefix: 142 bits, so that no two are ever the same. */
const ID_LENGTH = 24;

/** Ids and keys that nobody can guess. */
export class RandomIds implements IdGenerator {
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
    return this.#id(prefix);
  }

  /**
   * Begins with the time: of what is stored with every request, ids that follow each other stand side by side in an index,
   * so that a commit writes its last page and not one page for each. What is random in it is still beyond guessing.
   */
  #orderedId(prefix: string): string {
    return prefix + this.#time.take() + this.#random.take(ID_LENGTH - TIME_CHARACTERS);
  }

  #id(prefix: string): string {
    return prefix + this.#random.take(ID_LENGTH);
  }
}
