// Where the page is: a view and its parameters, in the part of the address that is never sent. Back and
// forward work, and an address can be kept.

import { useEffect, useState } from "preact/hooks";

/** A place on the page. */
export interface Route {
  view: string;
  params: URLSearchParams;
}

/** Parameters to set; undefined and "" take one away. */
export type Params = Record<string, string | undefined>;

/** The place in the address. */
export function readRoute(): Route {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path || "home", params: new URLSearchParams(query) };
}

/** The address of a place. */
export function hrefOf(view: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const said = query.toString();
  return `#/${view}${said === "" ? "" : `?${said}`}`;
}

/** Goes to a place; `replace` leaves no step to come back to. */
export function goTo(href: string, { replace = false } = {}): void {
  if (href === location.hash) return;
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Changes parameters of the place where the page is. */
export function setParams(params: Params, options?: { replace?: boolean }): void {
  const { view, params: before } = readRoute();
  goTo(hrefOf(view, { ...Object.fromEntries(before), ...params }), options);
}

/** The place, as state of a component. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = (): void => setRoute(readRoute());
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
  return route;
}
