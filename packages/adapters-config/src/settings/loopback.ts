const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether the host name of a URL stands for the machine itself. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAME.test(hostname);
}
