import {
  type AccountId, type AccountNoteId, API_KEY_PREFIX, API_KEY_RANDOM_LENGTH, type ApiKeyId, ApiKeySecret, type ApiKeySecretGenerator, type IdGenerator, invariant,
  type MachineId, type PasskeyId, type PaymentId, type PaymentIds, type PaymentRefundId, type PersonId, type ProcessId, type RequestId, type ReservationId, type SessionId,
  VOUCHER_ALPHABET, VOUCHER_RANDOM_LENGTH, type VoucherBatchId, VoucherCode, type VoucherCodeGenerator, type WebhookId,
} from '@tollgate/core';
import { type IdentityIdGenerator, MACHINE_SECRET_PREFIX, MACHINE_SECRET_RANDOM_LENGTH, MachineSecret, type MailId, WEBHOOK_SECRET_PREFIX, WEBHOOK_SECRET_RANDOM_LENGTH } from '@tollgate/identity';
import { RandomCharacters } from './random-characters.js';
import { TIME_CHARACTERS, TimeCharacters } from './time-characters.js';

/** Characters of an id after its prefix. In an id without a time, 142 bits are random. */
const ID_LENGTH = 24;

/** Ids and secrets from a cryptographic source. */
export class RandomIds implements IdGenerator, ApiKeySecretGenerator, IdentityIdGenerator, PaymentIds, VoucherCodeGenerator {
  readonly #random = new RandomCharacters();
  readonly #vouchers = new RandomCharacters(undefined, VOUCHER_ALPHABET);
  readonly #time = new TimeCharacters();

  accountId(): AccountId {
    return this.#id('acct_') as AccountId;
  }

  accountNoteId(): AccountNoteId {
    return this.#id('note_') as AccountNoteId;
  }

  apiKeyId(): ApiKeyId {
    return this.#id('key_') as ApiKeyId;
  }

  apiKeySecret(): ApiKeySecret {
    const secret = ApiKeySecret.parse(`${API_KEY_PREFIX}${this.#random.take(API_KEY_RANDOM_LENGTH)}`);
    invariant(secret !== null, 'random letters and digits form a key');
    return secret;
  }

  machineId(): MachineId {
    return this.#id('mach_') as MachineId;
  }

  machineSecret(): MachineSecret {
    const secret = MachineSecret.parse(`${MACHINE_SECRET_PREFIX}${this.#random.take(MACHINE_SECRET_RANDOM_LENGTH)}`);
    invariant(secret !== null, 'random letters and digits form a secret');
    return secret;
  }

  mailId(): MailId {
    return this.#id('mail_') as MailId;
  }

  passkeyId(): PasskeyId {
    return this.#id('passkey_') as PasskeyId;
  }

  paymentId(): PaymentId {
    return this.#id('pay_') as PaymentId;
  }

  paymentRefundId(): PaymentRefundId {
    return this.#id('refund_') as PaymentRefundId;
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

  webhookId(): WebhookId {
    return this.#id('hook_') as WebhookId;
  }

  webhookSecret(): string {
    return WEBHOOK_SECRET_PREFIX + this.#random.take(WEBHOOK_SECRET_RANDOM_LENGTH);
  }

  voucherBatchId(): VoucherBatchId {
    return this.#id('vbatch_') as VoucherBatchId;
  }

  voucherCode(): VoucherCode {
    return VoucherCode.draw(() => this.#vouchers.take(VOUCHER_RANDOM_LENGTH));
  }

  responseId(prefix: string): string {
    return this.#orderedId(prefix);
  }

  /**
   * An id that begins with the time, so that rows of consecutive requests are adjacent in an index, and a commit writes one index page. 95
   * bits are random.
   */
  #orderedId(prefix: string): string {
    return prefix + this.#time.take() + this.#random.take(ID_LENGTH - TIME_CHARACTERS);
  }

  #id(prefix: string): string {
    return prefix + this.#random.take(ID_LENGTH);
  }
}
