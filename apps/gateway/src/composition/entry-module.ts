import { serviceModule } from '@tollgate/composition';
import { MemoryCounter } from '@tollgate/adapters-memory/limits';
import { CommonPasswordList } from '@tollgate/adapters-node';
import {
  AddressChange, AddressVerification, AnswerFloor, AttemptLimits, Invitations, OwnPassword, PasswordReset, PasswordRules, PasswordSignIn, PersonMails, SignUp,
} from '@tollgate/identity';
import { services } from './services.js';

const { settings, people, mailer, sessions, ids, clock, sharedCounter, secretTokens, identity } = services;

const SHARED = { people, mails: PersonMails, clock, floor: AnswerFloor, limits: AttemptLimits, passwords: PasswordRules };

export const entryModule = serviceModule((make) => {
  make(PersonMails, { people, mailer, ids, clock, site: services.mailSite }, (parts) => new PersonMails(parts));
  make(AttemptLimits, { clock, shared: sharedCounter, tokens: secretTokens }, (parts) => new AttemptLimits({ ...parts, own: new MemoryCounter(parts.clock) }));
  make(PasswordRules, {}, () => new PasswordRules(new CommonPasswordList()));
  make(AnswerFloor, { clock, settings }, (parts) => new AnswerFloor(parts.clock, parts.settings.answerStepMilliseconds));
  make(SignUp, { ...SHARED, settings }, (parts) => new SignUp({ ...parts, policy: parts.settings.dashboard.signUp }));
  make(PasswordSignIn, { ...SHARED, sessions }, (parts) => new PasswordSignIn(parts));
  make(AddressVerification, SHARED, (parts) => new AddressVerification(parts));
  make(PasswordReset, SHARED, (parts) => new PasswordReset(parts));
  make(OwnPassword, { ...SHARED, sessions }, (parts) => new OwnPassword(parts));
  make(AddressChange, SHARED, (parts) => new AddressChange(parts));
  make(Invitations, SHARED, (parts) => new Invitations(parts));
  make(
    identity,
    {
      signUp: SignUp, passwordSignIn: PasswordSignIn, verification: AddressVerification, passwordReset: PasswordReset, ownPassword: OwnPassword, addressChange: AddressChange,
      invitations: Invitations,
    },
    (useCases) => useCases,
  );
});
