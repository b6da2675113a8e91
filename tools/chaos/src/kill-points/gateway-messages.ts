import type { KillPoint } from './kill-point.js';

/** Where a gateway kills itself: at the so-manieth passing of a point from now on, counted from 1. */
export interface Death {
  readonly point: KillPoint;
  readonly passing: number;
}

/** What a gateway under test is told: where to die, or to write down what it is waiting for. */
export type GatewayOrder = { readonly order: 'die'; readonly death: Death } | { readonly order: 'report'; readonly file: string };

/** What a gateway under test tells whoever started it. */
export type GatewayNews =
  | { readonly news: 'process'; readonly processId: string }
  | { readonly news: 'listening'; readonly port: number };
