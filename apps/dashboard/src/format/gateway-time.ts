let ahead = 0;

/** Makes the pages compute every day and age with the gateway's clock, which may differ from the browser's. */
export function setGatewayTime(instant: string, browserTime: number = Date.now()): void {
  ahead = Date.parse(instant) - browserTime;
}

/** The gateway's time at a time of the browser. The two are equal until `setGatewayTime` is called. */
export function gatewayTimeAt(browserTime: number): Date {
  return new Date(browserTime + ahead);
}

export function gatewayNow(): Date {
  return gatewayTimeAt(Date.now());
}
