import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/primitives.js';
import type { AlertPolicy, EffectiveAlerts } from './low-balance-alerts.js';

/** The thresholds of all accounts. They are stored with the balances, since every process that books compares with them. */
export interface BalanceAlerts {
  /** Applies to all accounts once it resolves; a repetition changes nothing. A process that dies halfway leaves the rest to the next call. */
  applyPolicy(policy: AlertPolicy): Promise<void>;
  /** `null` for the policy's. At most `MAX_ALERT_THRESHOLDS`, each greater than zero. False if there is no such account, or it is deleted. */
  choose(id: AccountId, thresholds: readonly ServiceTokens[] | null, by: AuditedBy): Promise<boolean>;
  /** `null` if there is no such account. */
  find(id: AccountId): Promise<EffectiveAlerts | null>;
}
