import { GatewayError } from '../errors/gateway-error.js';
import type { Clock } from '../ports/system.js';
import type { SharedCounter } from '../ports/rate-limiter.js';
import { type Instant, instant, later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '../time.js';

/** Bytes of a body that count as much as a request. */
export const BYTES_PER_UNIT = 65_536;
/** Units in a window from which on a client counts as heavy: one a second. */
export const HEAVY_UNITS = 60;
/** Names that are counted at the same time; beyond it the oldest window is forgotten. */
export const MOST_NAMES = 100_000;

/** One name's units in a window of a minute. */
interface Bucket {
  readonly name: string;
  used: number;
  /** Of requests that may yet be admitted. */
  pending: number;
  endsAt: Instant;
}

export interface UnbilledWorkPorts {
  readonly clock: Clock;
  /** `null` for a gateway that counts alone. */
  readonly shared: SharedCounter | null;
}

export interface UnbilledWorkTerms {
  /** 0 is no limit. */
  readonly unitsPerMinute: number;
  /** Begins the message of a refusal. */
  readonly message: string;
}

/** What one request takes until it is admitted; else it stays taken once the request has ended. */
export interface UnbilledClaim {
  /** Whether the request is not admitted and its client has taken more than 60 units in this window, this request's included. */
  readonly isHeavy: boolean;
  /** Takes a unit for each 64 KiB of a body. */
  take(bytes: number): void;
  /** Throws `rate_limit_exceeded` when more was taken than the limit allows. */
  check(): void;
  /** The request is admitted by its plan, and bounded by that. */
  giveBack(): void;
  /** The request is over. What was not given back stays taken. */
  end(): void;
}

const UNLIMITED: UnbilledClaim = { isHeavy: false, take: () => undefined, check: () => undefined, giveBack: () => undefined, end: () => undefined };

/** Limits what requests cost that no plan limits: refused ones, reads, repeated replies. Counts units in windows of a minute for each name. */
export class UnbilledWork {
  /** In the order in which their windows began. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly ports: UnbilledWorkPorts, private readonly terms: UnbilledWorkTerms) {}

  get names(): number {
    return this.#buckets.size;
  }

  /**
   * Takes one unit for a request. `atOnce` more may be taken for as long as their requests run, so that requests of which so many
   * are served at the same time never meet the limit. Throws `rate_limit_exceeded` when all are taken.
   */
  ask(name: string, atOnce: number): UnbilledClaim {
    if (this.terms.unitsPerMinute === 0) return UNLIMITED;
    const bucket = this.#bucketOf(name);
    const claim = new Claim(this, bucket, atOnce);
    if (claim.fits) return claim;
    claim.giveBack();
    throw this.refusalOf(bucket);
  }

  /** Takes one unit for good. */
  count(name: string): UnbilledClaim {
    const claim = this.ask(name, 0);
    claim.end();
    return claim;
  }

  /** For its claims. */
  fits({ used, pending }: Bucket, atOnce: number, units: number): boolean {
    const { unitsPerMinute } = this.terms;
    return used + units <= unitsPerMinute && used + pending <= unitsPerMinute + atOnce;
  }

  /** For its claims. */
  use(bucket: Bucket, units: number): void {
    const now = this.ports.clock.now();
    const current = bucket.endsAt > now ? bucket : this.#bucketOf(bucket.name);
    current.used += units;
    this.ports.shared?.add(bucket.name, units, MILLISECONDS_PER_MINUTE).then(({ total, endsInMilliseconds }) => {
      current.used = total;
      current.endsAt = later(this.ports.clock.now(), endsInMilliseconds);
    }, () => undefined);
  }

  /** For its claims. */
  refusalOf({ endsAt }: Bucket): GatewayError {
    const { unitsPerMinute, message } = this.terms;
    const resetSeconds = Math.max(1, Math.ceil((endsAt - this.ports.clock.now()) / MILLISECONDS_PER_SECOND));
    return new GatewayError('rate_limit_exceeded', `${message} No limit of a plan was touched.`, {
      retryAfterSeconds: resetSeconds, window: { limit: unitsPerMinute, resetSeconds },
    });
  }

  #bucketOf(name: string): Bucket {
    const now = this.ports.clock.now();
    const known = this.#buckets.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const fresh = known ?? { name, used: 0, pending: 0, endsAt: instant(0) };
    fresh.used = 0;
    fresh.endsAt = later(now, MILLISECONDS_PER_MINUTE);
    this.#buckets.delete(name);
    this.#buckets.set(name, fresh);
    this.#forgetOldest(now);
    return fresh;
  }

  /** Forgets windows that are over, and more of the oldest where there are too many. */
  #forgetOldest(now: Instant): void {
    for (const [name, { endsAt, pending }] of this.#buckets) {
      if (this.#buckets.size <= MOST_NAMES && (endsAt > now || pending > 0)) return;
      this.#buckets.delete(name);
    }
  }
}

class Claim implements UnbilledClaim {
  #bytes = 0;
  #units = 1;
  #isOpen = true;
  #isAdmitted = false;

  constructor(private readonly work: UnbilledWork, private readonly bucket: Bucket, private readonly atOnce: number) {
    bucket.pending += 1;
  }

  take(bytes: number): void {
    if (!this.#isOpen) return;
    this.#bytes += bytes;
    const units = 1 + Math.floor(this.#bytes / BYTES_PER_UNIT);
    this.bucket.pending += units - this.#units;
    this.#units = units;
  }

  get isHeavy(): boolean {
    const own = this.#isOpen ? this.#units : 0;
    return !this.#isAdmitted && this.bucket.used + own > HEAVY_UNITS;
  }

  get fits(): boolean {
    return this.work.fits(this.bucket, this.atOnce, this.#units);
  }

  check(): void {
    if (!this.fits) throw this.work.refusalOf(this.bucket);
  }

  giveBack(): void {
    this.#isAdmitted = true;
    this.#close();
  }

  end(): void {
    if (this.#close()) this.work.use(this.bucket, this.#units);
  }

  /** Whether it was open. */
  #close(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    this.bucket.pending -= this.#units;
    return true;
  }
}
