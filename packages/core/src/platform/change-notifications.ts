import type { AccountId, ApiKeyId, PlanId } from '../primitives/primitives.js';

/** What became different in the store. It names the item, not the change: a cache reads the item again. */
export type Change =
  | { readonly kind: 'key'; readonly id: ApiKeyId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'plan'; readonly id: PlanId }
  /** Maintenance, blocked networks, incident limits. */
  | { readonly kind: 'platform'; readonly id: null };

export interface ChangeListener {
  changed(change: Change): void;
  /** Until `missed` is called, no change is heard of: what is cached may be out of date. */
  disconnected(): void;
  /** Changes may have passed unheard, and are heard of again from now on: nothing cached before can be trusted. */
  missed(): void;
}

/** Tells every process of a change, so that none goes on with what it has cached. Delivery is fast and not certain. */
export interface ChangeNotifications {
  /** Resolves when it is on its way to everyone, this process included. Rejects when it is not; the change itself stands. */
  publish(change: Change): Promise<void>;
  /** Calls the listener until the returned function is called. A listener does not throw. */
  subscribe(listener: ChangeListener): () => void;
}
