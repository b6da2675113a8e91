import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { AlertPolicy, EffectiveAlerts } from './low-balance-alerts.js';

export interface AccountAlerts extends EffectiveAlerts {
  /** Thresholds chosen for this account; `null` if the policy's apply. */
  readonly chosen: readonly ServiceTokens[] | null;
}

/** Alert thresholds of all accounts, stored with the balances because every process that books checks them. */
export interface BalanceAlerts {
  /** Applies the policy to all accounts; idempotent. If the process dies halfway, the next call completes the change. */
  applyPolicy(policy: AlertPolicy): Promise<void>;
  /**
   * `thresholds`: at most `MAX_ALERT_THRESHOLDS`, each greater than zero; `null` selects the policy's thresholds. A repeated choice changes nothing.
   * False if the account does not exist or is deleted.
   */
  choose(id: AccountId, thresholds: readonly ServiceTokens[] | null, by: AuditedBy): Promise<boolean>;
  /** `null` if the account does not exist. */
  find(id: AccountId): Promise<AccountAlerts | null>;
}
