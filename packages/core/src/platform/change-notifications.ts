import type { AccountId, ApiKeyId, PlanId } from '../primitives/ids.js';

/** A change without the new value: a cache reads the item again. */
export type Change =
  | { readonly kind: 'key'; readonly id: ApiKeyId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'plan'; readonly id: PlanId }
  /** Maintenance, blocked networks and incident limits. */
  | { readonly kind: 'platform'; readonly id: null };

export interface ChangeListener {
  changed(change: Change): void;
  /** Until `missed` is called, no changes arrive and caches may be stale. */
  disconnected(): void;
  /** Delivery works again. Discard all cached items: changes may have been missed. */
  missed(): void;
}

/** Notifies the caches of all processes. Delivery is fast, but not guaranteed. */
export interface ChangeNotifications {
  /** Resolves once the notification is sent to all processes, this one included. If it rejects, the change itself still stands. */
  publish(change: Change): Promise<void>;
  /** The returned function unsubscribes. Listeners must not throw. */
  subscribe(listener: ChangeListener): () => void;
}
