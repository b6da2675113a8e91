import { counted } from '../../format/count';

/** Dialogs that confirm, and the proof that some acts want. */
export const proof = {
  failed: 'The page failed. Reload it, and try again.',
  retryIn: (seconds: number) => `Try again in ${seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')}.`,
  typeName: 'Type the name to confirm',
  typeExactly: (text: string) => `Type ${text}`,
  typedWrong: 'This is not the same text.',
  title: 'Confirm that it is you',
  why: 'This change wants a proof that is at most ten minutes old.',
  withPasskey: 'Use a passkey',
  kind: 'Prove with',
  kinds: { password: 'Password', totp: 'Code', recovery: 'Recovery code' },
  labels: { password: 'Password', totp: 'Code of your authenticator app', recovery: 'Recovery code' },
  hints: { password: '', totp: 'Six digits.', recovery: 'Ten characters. Each code works once.' },
  wrong: { password: 'This password is not right.', totp: 'This code is not right, or was used before.', recovery: 'This code is not right, or was used before.' },
  confirm: 'Confirm',
  required: 'Fill this in.',
  noPassword: 'No password?',
  signInAgain: 'Sign in once more',
  passkeyEnded: 'The browser ended this without a passkey, or it took too long. Try again, or choose another way.',
  passkeyKnown: 'This device or security key is registered already.',
  passkeyUnsupported: 'This browser has no passkeys.',
} as const;
