let ahead = 0;

/** Follows the gateway's clock, which may differ from the browser's: every day and age on the pages is computed with it. */
export function setGatewayTime(instant: string, browserTime: number = Date.now()): void {
  ahead = Date.parse(instant) - browserTime;
}

/** The gateway's time at a time of the browser. Both are the same until `setGatewayTime` is called. */
export function gatewayTimeAt(browserTime: number): Date {
  return new Date(browserTime + ahead);
}

export function gatewayNow(): Date {
  return gatewayTimeAt(Date.now());
}
