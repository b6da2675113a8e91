process.stdout.write("The command line's commands are not built yet.\n");
