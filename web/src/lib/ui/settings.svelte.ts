/** What somebody chose for this browser. It stays in the browser. */
interface Choices {
  theme: "auto" | "light" | "dark";
  deck: "two" | "four";
  /** `practice`: on where one plays with bots only. */
  coach: "practice" | "always" | "never";
  /** Whether the column beside the table is shown. */
  column: boolean;
  sound: boolean;
  /** Whether keys at a table do what its buttons do. */
  shortcuts: boolean;
}

const KEY = "queenhigh.settings";
const USUAL: Choices = {
  theme: "auto",
  deck: "two",
  coach: "practice",
  column: true,
  sound: true,
  shortcuts: true,
};

function read(): Choices {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return USUAL; // no storage, or somebody else's writing in it
  }
}

export const settings = $state<Choices>(read());

/** Show and keep what is chosen, now and whenever it changes. Call it while a component is made. */
export function keepSettings() {
  $effect(() => {
    const root = document.documentElement;
    root.dataset["theme"] = settings.theme;
    root.dataset["deck"] = settings.deck;
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // private windows may refuse; the choice holds until the page is left
    }
  });
}
