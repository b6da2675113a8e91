import type { AccountId, ApiKeyId, PlanId } from '../primitives/primitives.js';

/** Identifies what changed, not how: a cache reads the item again. */
export type Change =
  | { readonly kind: 'key'; readonly id: ApiKeyId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'plan'; readonly id: PlanId }
  /** Maintenance, blocked networks and incident limits. */
  | { readonly kind: 'platform'; readonly id: null };

export interface ChangeListener {
  changed(change: Change): void;
  /** No changes are received until `missed` is called; caches may be stale. */
  disconnected(): void;
  /** Changes may have been missed; all cached items must be discarded. Delivery works again. */
  missed(): void;
}

/** Invalidates the caches of all processes. Delivery is fast but not guaranteed. */
export interface ChangeNotifications {
  /** Resolves once the change is sent to all processes, this one included. If it rejects, the change itself still stands. */
  publish(change: Change): Promise<void>;
  /** The returned function unsubscribes. A listener must not throw. */
  subscribe(listener: ChangeListener): () => void;
}
