import type { liveEvents } from '@tollgate/api-contract';

type EventData<Name extends keyof typeof liveEvents> = (typeof liveEvents)[Name]['_zod']['output'];

export type LiveTick = EventData<'tick'>;
export type LiveSecond = EventData<'snapshot'>['seconds'][number];
export type LiveAlert = EventData<'snapshot'>['alerts'][number];
export type LiveRequest = EventData<'requests'>['requests'][number];
