import {
  AddressChange, AddressVerification, type AnswerFloor, type AttemptLimits, type Clock, Invitations, OwnPassword, PasswordReset, PasswordSignIn, type PersonDirectory, type PersonMails,
  type Sessions, SignUp, type SignUpPolicy,
} from '@tollgate/core';

export interface IdentityPorts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
}

/** The use cases behind sign-up, sign-in and the links in mail. */
export interface IdentityUseCases {
  readonly signUp: SignUp;
  readonly passwordSignIn: PasswordSignIn;
  readonly verification: AddressVerification;
  readonly passwordReset: PasswordReset;
  readonly ownPassword: OwnPassword;
  readonly addressChange: AddressChange;
  readonly invitations: Invitations;
}

export function createIdentity(ports: IdentityPorts, policy: SignUpPolicy): IdentityUseCases {
  const { people, mails, sessions, clock, floor, limits } = ports;
  const parts = { people, mails, clock, floor, limits };
  return {
    signUp: new SignUp({ ...parts, policy }),
    passwordSignIn: new PasswordSignIn({ ...parts, sessions }),
    verification: new AddressVerification(parts),
    passwordReset: new PasswordReset(parts),
    ownPassword: new OwnPassword({ ...parts, sessions }),
    addressChange: new AddressChange(parts),
    invitations: new Invitations(parts),
  };
}
