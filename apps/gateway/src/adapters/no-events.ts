import { type BackgroundEvents, type BalanceAlerts, type EventLog, ServiceTokens, type UsageFeed } from '@tollgate/core';
import type { AlertRecords, NoticeRecords } from '@tollgate/identity';

/** For stores without events, such as an embedder's: the feed stays empty. */
export const NO_EVENTS: EventLog = {
  read: () => Promise.resolve({ outcome: 'page', events: [], nextCursor: null, hasMore: false }),
  find: () => Promise.resolve(null), position: () => Promise.resolve(0), prune: () => Promise.resolve(0),
};

export const NO_ALERTS: BalanceAlerts = {
  applyPolicy: () => Promise.resolve(), choose: () => Promise.resolve(false),
  find: () => Promise.resolve({ chosen: null, low: [], exhaustedBelow: ServiceTokens.ZERO }),
};

export const NO_USAGE_FEED: UsageFeed = {
  read: () => Promise.resolve({ outcome: 'page', entries: [], nextCursor: null, hasMore: false }),
  position: () => Promise.resolve(0), closeDaysBefore: () => Promise.resolve(), announceClosedDays: () => Promise.resolve(0),
};

export const NO_ALERT_RECORDS: AlertRecords = {
  storeMails: () => Promise.resolve({ mails: 0, outcome: 'done', failures: [] }), disabledKinds: () => Promise.resolve([]), disable: () => Promise.resolve(false),
};

export const NO_NOTICE_RECORDS: NoticeRecords = {
  storeMails: () => Promise.resolve({ mails: 0, next: null, outcome: 'considered', failures: [] }), accountsByPriceList: () => Promise.resolve(new Map()), prune: () => Promise.resolve(),
};

export const NO_BACKGROUND_EVENTS: BackgroundEvents = {
  capReached: () => Promise.resolve(false), keysExpired: () => Promise.resolve(0), conditionsHold: () => Promise.resolve(), conditionsEnd: () => Promise.resolve(0),
};
