/**
 * Preloaded into Remix's compiler. In the browser's build it puts an empty module in the place of each `.server` file, but does not tell esbuild that an empty module does
 * nothing: each one that a pruned loader had named stayed in the scripts, some in chunks of their own that every page fetched.
 */
const compiler = require("@remix-run/dev/dist/compiler/plugins/emptyModules.js");

const { emptyModulesPlugin } = compiler;

compiler.emptyModulesPlugin = (...given) => {
  const plugin = emptyModulesPlugin(...given);
  return {
    ...plugin,
    setup: (build) =>
      plugin.setup({
        ...build,
        onResolve: (filter, find) => build.onResolve(filter, async (args) => harmless(await find(args))),
      }),
  };
};

const harmless = (found) => found && { ...found, sideEffects: false };
