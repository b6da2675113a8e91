import {
  type AccountId, type AccountNoteId, API_KEY_PREFIX, API_KEY_RANDOM_LENGTH, type ApiKeyId, ApiKeySecret, type ApiKeySecretGenerator, type IdGenerator, invariant,
  type MachineId, type PasskeyId, type PaymentId, type PaymentIds, type PaymentRefundId, type PersonId, type ProcessId, type RequestId, type ReservationId, type SessionId,
  VOUCHER_RANDOM_LENGTH, type VoucherBatchId, VoucherCode, type VoucherCodeGenerator, type WebhookId,
} from '@tollgate/core';
import { type IdentityIdGenerator, MACHINE_SECRET_PREFIX, MACHINE_SECRET_RANDOM_LENGTH, MachineSecret, type MailId, WEBHOOK_SECRET_PREFIX, WEBHOOK_SECRET_RANDOM_LENGTH } from '@tollgate/identity';

/** Ids and secrets, numbered separately for each kind. Only for tests and demonstrations, because the secrets can be guessed. */
export class SequentialIds implements IdGenerator, ApiKeySecretGenerator, IdentityIdGenerator, PaymentIds, VoucherCodeGenerator {
  readonly #last = new Map<string, number>();

  accountId(): AccountId {
    return `acct_${this.#next('account')}` as AccountId;
  }

  accountNoteId(): AccountNoteId {
    return `note_${this.#next('note')}` as AccountNoteId;
  }

  apiKeyId(): ApiKeyId {
    return `key_${this.#next('key')}` as ApiKeyId;
  }

  apiKeySecret(): ApiKeySecret {
    const secret = ApiKeySecret.parse(`${API_KEY_PREFIX}${String(this.#next('secret')).padStart(API_KEY_RANDOM_LENGTH, '0')}`);
    invariant(secret !== null, 'digits are characters of a key');
    return secret;
  }

  machineId(): MachineId {
    return `mach_${this.#next('machine')}` as MachineId;
  }

  machineSecret(): MachineSecret {
    const secret = MachineSecret.parse(`${MACHINE_SECRET_PREFIX}${String(this.#next('machine secret')).padStart(MACHINE_SECRET_RANDOM_LENGTH, '0')}`);
    invariant(secret !== null, 'letters and digits form a secret');
    return secret;
  }

  mailId(): MailId {
    return `mail_${this.#next('mail')}` as MailId;
  }

  passkeyId(): PasskeyId {
    return `passkey_${this.#next('passkey')}` as PasskeyId;
  }

  paymentId(): PaymentId {
    return `pay_${this.#next('payment')}` as PaymentId;
  }

  paymentRefundId(): PaymentRefundId {
    return `refund_${this.#next('payment refund')}` as PaymentRefundId;
  }

  personId(): PersonId {
    return `person_${this.#next('person')}` as PersonId;
  }

  webhookId(): WebhookId {
    return `hook_${this.#next('webhook')}` as WebhookId;
  }

  webhookSecret(): string {
    return WEBHOOK_SECRET_PREFIX + String(this.#next('webhook secret')).padStart(WEBHOOK_SECRET_RANDOM_LENGTH, '0');
  }

  voucherBatchId(): VoucherBatchId {
    return `vbatch_${this.#next('voucher batch')}` as VoucherBatchId;
  }

  voucherCode(): VoucherCode {
    return VoucherCode.draw(() => String(this.#next('voucher code')).padStart(VOUCHER_RANDOM_LENGTH, '0'));
  }

  processId(): ProcessId {
    return `process_${this.#next('process')}` as ProcessId;
  }

  requestId(): RequestId {
    return `req_${this.#next('request')}` as RequestId;
  }

  reservationId(): ReservationId {
    return `rsv_${this.#next('reservation')}` as ReservationId;
  }

  sessionId(): SessionId {
    return `session_${this.#next('session')}` as SessionId;
  }

  responseId(prefix: string): string {
    return `${prefix}${this.#next(prefix)}`;
  }

  #next(kind: string): number {
    const next = (this.#last.get(kind) ?? 0) + 1;
    this.#last.set(kind, next);
    return next;
  }
}
