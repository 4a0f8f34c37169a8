package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// runOnTerminal runs a command whose stderr is a terminal, and adds what it prints there to a text:
// planflame debug shows records on a terminal alone.
func runOnTerminal(cmd *exec.Cmd, text *bytes.Buffer) error {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return fmt.Errorf("open a terminal: %w", err)
	}
	defer master.Close()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		return fmt.Errorf("find the terminal's number: %w", err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return fmt.Errorf("unlock the terminal: %w", err)
	}
	stderr, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return fmt.Errorf("open the terminal: %w", err)
	}
	cmd.Stderr = stderr
	err = cmd.Start()
	stderr.Close()
	if err != nil {
		return err
	}
	_, _ = io.Copy(text, master) // fails when all have closed the terminal
	return cmd.Wait()
}
