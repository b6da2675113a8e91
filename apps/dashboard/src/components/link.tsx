import { Anchor, Button, NavLink, type AnchorProps, type ButtonProps, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, createContext, forwardRef, useContext, type ReactNode } from 'react';

type Attributes<Props> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props>;

const LinksOff = createContext(false);

/** Renders links as text. For operators' views of an account, where a link would open the operator's own page. */
export function WithoutLinks({ children }: { readonly children: ReactNode }) {
  return <LinksOff value>{children}</LinksOff>;
}

export function useLinksOff(): boolean {
  return useContext(LinksOff);
}

export const TextLink = createLink(forwardRef<HTMLAnchorElement, AnchorProps & Attributes<AnchorProps>>((props, ref) => {
  const isOff = useLinksOff();
  return isOff ? <span ref={ref} className={props.className} title={props.title}>{props.children}</span> : <Anchor ref={ref} inherit {...props} />;
}));

export const ButtonLink = createLink(forwardRef<HTMLAnchorElement, ButtonProps & Attributes<ButtonProps>>((props, ref) => <Button ref={ref} component="a" {...props} />));

/** A link that has `aria-current` while its page is open. */
export const NavigationLink = createLink(forwardRef<HTMLAnchorElement, NavLinkProps & Attributes<NavLinkProps>>((props, ref) => <NavLink ref={ref} component="a" {...props} />));
