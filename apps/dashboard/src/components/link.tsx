import { Anchor, Button, NavLink, type AnchorProps, type ButtonProps, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, forwardRef } from 'react';

type Attributes<Props> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props>;

/** A link to a page of the dashboard, in text. */
export const TextLink = createLink(forwardRef<HTMLAnchorElement, AnchorProps & Attributes<AnchorProps>>((props, ref) => <Anchor ref={ref} inherit {...props} />));

/** A link to a page of the dashboard that looks like a button. */
export const ButtonLink = createLink(forwardRef<HTMLAnchorElement, ButtonProps & Attributes<ButtonProps>>((props, ref) => <Button ref={ref} component="a" {...props} />));

/** An entry of the navigation; `aria-current` marks the page that is open. */
export const NavigationLink = createLink(forwardRef<HTMLAnchorElement, NavLinkProps & Attributes<NavLinkProps>>((props, ref) => <NavLink ref={ref} component="a" {...props} />));
