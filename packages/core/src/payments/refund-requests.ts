import { TriedLast } from '../errors/tried-last.js';
import type { Clock } from '../primitives/clock.js';
import { later, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { Payment, PaymentRefundId, RequestedRefund } from './payment.js';
import { endsTurn, type PaymentProvider, PaymentProviderFailure, REQUEST_OVER_MILLISECONDS, REQUEST_REPEATED_MILLISECONDS } from './payment-provider.js';
import { answerOrFailure } from './payment-refusals.js';
import type { PaymentRecords } from './payment-records.js';

interface RefundRequestsParts {
  readonly records: Pick<PaymentRecords, 'refundAnswered' | 'unconfirmedRefunds'>;
  readonly clock: Clock;
  /** `null` if the provider of the payment is not in use. */
  readonly providerOf: (payment: Payment) => PaymentProvider | null;
  /** Asks the provider about the payment and applies its report. Throws `PaymentProviderFailure`. */
  readonly check: (payment: Payment) => Promise<Payment>;
}

interface CarriedOut {
  readonly payment: Payment;
  /** `null` unless the provider refused the refund. */
  readonly refusal: PaymentProviderFailure | null;
}

/** A refund whose request was interrupted is requested again after this time. */
const UNCONFIRMED_MILLISECONDS = MILLISECONDS_PER_MINUTE;

/** Carries out refunds that are recorded as requested. */
export class RefundRequests {
  /** Requests that stay unconfirmed come last. */
  readonly #order = new TriedLast<PaymentRefundId>();

  constructor(private readonly parts: RefundRequestsParts) {}

  /** Repeats at most `limit` unconfirmed requests. */
  async repeatUnconfirmed(provider: string, limit: number): Promise<void> {
    const { records, clock } = this.parts;
    const before = later(clock.now(), -UNCONFIRMED_MILLISECONDS);
    await this.#order.tryInTurn(
      { limit, read: (most) => records.unconfirmedRefunds(provider, before, most), idOf: ({ refund }) => refund.id },
      ({ refund, payment }) => this.carryOut(refund, payment), endsTurn,
    );
  }

  /** Requests the refund, possibly again under the same id. Gives up once the provider may have forgotten the id. */
  async carryOut({ id, amount, requestedAt }: RequestedRefund, payment: Payment): Promise<CarriedOut> {
    const { records, clock, check } = this.parts;
    const provider = this.parts.providerOf(payment);
    if (provider === null || payment.reference === null) return { payment, refusal: null };
    const now = clock.now();
    if (now > later(requestedAt, REQUEST_REPEATED_MILLISECONDS)) {
      // The provider may have the refund although its answer was lost: the request is given up only if the report does not contain it.
      const checked = await answerOrFailure(check(payment));
      const isCertain = !(checked instanceof PaymentProviderFailure) || checked.problem === 'refused';
      if (isCertain && now > later(requestedAt, REQUEST_OVER_MILLISECONDS)) await records.refundAnswered(id, { state: 'refused' });
      return { payment, refusal: null };
    }
    let reference: string;
    try {
      ({ reference } = await provider.refund({ payment: payment.id, refund: id, reference: payment.reference, amount, currency: payment.currency }));
    } catch (thrown) {
      if (!(thrown instanceof PaymentProviderFailure)) throw thrown;
      if (thrown.problem !== 'refused') return { payment, refusal: null };
      await records.refundAnswered(id, { state: 'refused' });
      return { payment, refusal: thrown };
    }
    await records.refundAnswered(id, { state: 'accepted', reference });
    const checked = await answerOrFailure(check(payment));
    return { payment: checked instanceof PaymentProviderFailure ? payment : checked, refusal: null };
  }
}
