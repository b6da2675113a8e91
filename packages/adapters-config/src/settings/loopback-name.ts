const LOOPBACK_NAME = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAME.test(hostname);
}
