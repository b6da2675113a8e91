/*
 * The page that links in mail open. It takes the token from the fragment, which browsers send to no server, removes it from the address,
 * and posts it only when its person presses a button, so that programs which open links spend nothing.
 */

/** What each page says and sends. `field`: the password that it asks for. */
const PAGES = {
  link: {
    title: 'Sign in', lead: 'Press the button to sign in with this browser.', submit: 'Sign in', path: 'link', done: () => SIGNED_IN,
  },
  verify: {
    title: 'Confirm your address', lead: 'Enter the password that you chose when you signed up.', submit: 'Confirm address', path: 'verify-email',
    field: { label: 'Password', note: 'If you did not sign up, do not enter any password: choose “This was not me”.', autocomplete: 'current-password' }, disown: true,
    done: (reply) => `${reply.email} is confirmed. ${signInText(reply)}`,
  },
  reset: {
    title: 'Choose a new password', lead: 'You will be signed out everywhere else, and your passkeys and second factors are removed.', submit: 'Set password', path: 'reset',
    field: { label: 'New password', note: 'At least 8 characters.', autocomplete: 'new-password' }, done: (reply) => `Your password was changed. ${signInText(reply)}`,
  },
  invite: {
    title: 'Accept the invitation', lead: 'Choose a password for your Tollgate account.', submit: 'Accept', path: 'accept-invitation',
    field: { label: 'New password', note: 'At least 8 characters.', autocomplete: 'new-password' }, done: (reply) => `Welcome. ${signInText(reply)}`,
  },
  'change-email': {
    title: 'Confirm the change of your address', lead: 'Press the button to go on with the change of the e-mail address of your account.', submit: 'Confirm', path: 'confirm-change-email',
    done: (reply) => (reply.state === 'confirmed' ? 'Confirmed. A second message is on its way to the new address: open its link to finish.' : 'The address of your account was changed.'),
  },
};

const SIGNED_IN = 'You are signed in. You can close this page.';
const REMOVED = 'The sign-up was removed. Nobody can use it any more.';
const NO_TOKEN = 'This address has no token. Open the link in your message once more, or copy it as a whole.';
const NO_SESSION = 'Browsers keep no session at this address, because it is not encrypted. Open the link over https, or on the machine that Tollgate runs on. '
  + 'If you run this installation, set PUBLIC_URL to its https address.';
const UNREACHABLE = 'Tollgate cannot be reached at the moment. Try again: the link is still good.';

const element = (id) => document.getElementById(id);
const form = element('form');
const password = element('password');
const result = element('result');
const buttons = [element('submit'), element('disown')];
const page = PAGES[location.pathname.toLowerCase().split('/').filter(Boolean).pop()];
const token = takeToken();

function signInText({ sign_in: signIn }) {
  if (signIn === null) return 'Sign in to go on.';
  return signIn.reach === 'full' ? SIGNED_IN : 'You are signed in. This installation requires a second factor: set one up before you go on.';
}

/** The token, which the address shows no longer, nor the history. */
function takeToken() {
  const found = new URLSearchParams(location.hash.slice(1)).get('token');
  history.replaceState(null, '', location.pathname);
  return found;
}

function say(text, failed) {
  result.textContent = text;
  result.className = failed ? 'failed' : '';
}

/** The end of the page's work: nothing is left to press. */
function finish(text, failed) {
  form.hidden = true;
  element('lead').hidden = true;
  password.value = '';
  say(text, failed);
  result.focus();
}

function showPasswordProblem(text) {
  password.setAttribute('aria-invalid', String(text !== ''));
  element('password-problem').textContent = text;
  if (text !== '') password.focus();
}

/** What the gateway says about a field, as a sentence. */
function fieldProblem({ message }) {
  const text = message.replace(/^[a-z_]+: /, '');
  return `The password ${text}`;
}

function refused(error, retryAfter) {
  if (error.param === 'password') showPasswordProblem(fieldProblem(error));
  else if (error.code === 'token_invalid') finish(`${error.message} Ask for a new one where you got it.`, true);
  else if (error.code === 'insecure_address') finish(NO_SESSION, true);
  else if (error.code === 'too_many_attempts') say(`${error.message} It can be tried again in ${retryAfter} seconds.`, true);
  else say(error.message, true);
}

async function send(path, body) {
  for (const button of buttons) button.disabled = true;
  showPasswordProblem('');
  say('One moment …', false);
  try {
    const response = await fetch(`/dashboard/api/auth/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const reply = response.status === 204 ? null : await response.json();
    say('', false);
    if (response.ok) return { reply };
    refused(reply.error, response.headers.get('retry-after'));
  } catch {
    say(UNREACHABLE, true);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
  return null;
}

async function submit(event) {
  event.preventDefault();
  if (page.field !== undefined && password.value === '') {
    showPasswordProblem('Enter a password.');
    return;
  }
  const sent = await send(page.path, page.field === undefined ? { token } : { token, password: password.value });
  if (sent !== null) finish(page.done(sent.reply), false);
}

async function disown() {
  if (await send('disown', { token }) !== null) finish(REMOVED, false);
}

function showField({ label, note, autocomplete }) {
  element('field').hidden = false;
  element('password-label').textContent = label;
  element('password-note').textContent = note;
  password.autocomplete = autocomplete;
}

function show() {
  document.title = `${page.title} · Tollgate`;
  element('title').textContent = page.title;
  element('lead').textContent = page.lead;
  if (token === null) return finish(NO_TOKEN, true);
  if (!window.isSecureContext) return finish(NO_SESSION, true);
  element('submit').textContent = page.submit;
  element('disown').hidden = page.disown !== true;
  if (page.field !== undefined) showField(page.field);
  form.addEventListener('submit', (event) => void submit(event));
  element('disown').addEventListener('click', () => void disown());
  form.hidden = false;
  return undefined;
}

// A second link that is pasted into the same tab changes the fragment alone.
window.addEventListener('hashchange', () => location.reload());
show();
