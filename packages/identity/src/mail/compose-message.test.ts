import { describe, expect, it } from '@jest/globals';
import { composeMessage, type MessageParts } from './compose-message.js';
import { MAIL_PICTURE_ID, type MailLook } from './mail-look.js';

const SITE = { baseUrl: 'https://api.example.com', product: 'Acme AI' };
const PARTS: MessageParts = { name: 'test', values: {}, subject: 'Hello', beforeLink: ['One.'], link: { label: 'Open', url: 'https://api.example.com/dashboard' }, afterLink: ['Two.'] };
const LOOK: MailLook = { light: { fill: '#c2255c', onFill: '#ffffff' }, dark: { fill: '#ff8fb3', onFill: '#000000' }, hasPicture: true };

describe('the look of a message', () => {
  it('gives the button its colours for the light and the dark scheme', () => {
    const { html } = composeMessage(PARTS, { ...SITE, look: LOOK });
    expect(html).toContain('background:#c2255c;color:#ffffff');
    expect(html).toMatch(/@media \(prefers-color-scheme:dark\)\{.*a\.act\{background:#ff8fb3!important;color:#000000!important\}/);
  });

  it('shows one picture, which is part of the message', () => {
    const { html } = composeMessage(PARTS, { ...SITE, look: LOOK });
    expect(html.match(/src="[^"]*"/g)).toEqual([`src="cid:${MAIL_PICTURE_ID}"`]);
    expect(html).not.toMatch(/url\(|<link/);
  });

  it('has no picture if there is none to attach', () => {
    expect(composeMessage(PARTS, { ...SITE, look: { ...LOOK, hasPicture: false } }).html).not.toContain('<img');
    expect(composeMessage(PARTS, SITE).html).not.toContain('<img');
  });

  it('does not change the plain text', () => {
    expect(composeMessage(PARTS, { ...SITE, look: LOOK }).text).toBe('One.\n\nhttps://api.example.com/dashboard\n\nTwo.\n');
  });
});
