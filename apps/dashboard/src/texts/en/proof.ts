import { counted } from '../../format/count';

/** Confirmation dialogs, and proofs of identity. */
export const proof = {
  failed: 'Something went wrong on this page. Reload it and try again.',
  retryIn: (seconds: number) => `Try again in ${seconds < 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')}.`,
  typeName: 'Type the name to confirm',
  typeExactly: (text: string) => `Type ${text}`,
  typedWrong: 'The text does not match.',
  title: 'Confirm that it is you',
  why: 'Confirm your identity to make this change. A confirmation is valid for ten minutes.',
  withPasskey: 'Use a passkey',
  kind: 'Confirm with',
  kinds: { password: 'Password', totp: 'Code', recovery: 'Recovery code' },
  labels: { password: 'Password', totp: 'Code from your authenticator app', recovery: 'Recovery code' },
  hints: { password: '', totp: 'Six digits.', recovery: 'Ten characters. Each code works once.' },
  wrong: { password: 'Incorrect password.', totp: 'This code is incorrect or was already used.', recovery: 'This code is incorrect or was already used.' },
  confirm: 'Confirm',
  required: 'This field is required.',
  noPassword: 'No password?',
  signInAgain: 'Sign in again',
  passkeyEnded: 'The passkey request was cancelled or timed out. Try again, or use another method.',
  passkeyKnown: 'This device or security key is already registered.',
  passkeyUnsupported: 'This browser does not support passkeys.',
} as const;
